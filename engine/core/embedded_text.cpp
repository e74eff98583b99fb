#include "engine/core/embedded_text.h"

#include "engine/core/error.h"

#include <string>

namespace triaxis
{

std::string_view embeddedText(std::string_view name)
{
    for (const EmbeddedText& embedded : embeddedTexts())
        if (embedded.name == name)
            return embedded.text;
    throw Error("cannot read the built-in data", std::string(name) + ".json: it was not built in",
                "build again with the whole source tree");
}

} // namespace triaxis
