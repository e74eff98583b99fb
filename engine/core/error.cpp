#include "engine/core/error.h"

#include <utility>

namespace triaxis
{
namespace
{

std::string sentence(const std::string& tried, const std::string& object, const std::string& remedy)
{
    std::string text = tried;
    if (!object.empty())
        text += ": " + object;
    if (!remedy.empty())
        text += "; " + remedy;
    return text;
}

} // namespace

Error::Error(std::string tried, std::string object, std::string remedy)
    : std::runtime_error(sentence(tried, object, remedy)), m_tried(std::move(tried)),
      m_object(std::move(object)), m_remedy(std::move(remedy))
{
}

} // namespace triaxis
