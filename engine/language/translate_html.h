#pragma once

#include "engine/language/phrasebook.h"

#include <string>
#include <string_view>

namespace triaxis
{

/// A page, or a picture within one, in the language of the book: every text between tags, titles,
/// alternative texts and accessible labels are put through it, and the page says which language it
/// is in. Styles, scripts and preformatted text (logs, files) stay as they are. In English nothing
/// changes.
std::string translateHtml(std::string_view html, const Phrasebook& book);

} // namespace triaxis
