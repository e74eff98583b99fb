#include "engine/formats/html_panel.h"

#include "engine/timeline/svg_writer.h"

namespace triaxis
{

std::string panel(const std::string& title, const std::string& remark, const std::string& body)
{
    return "<section class=\"panel\"><div class=\"head\"><h2>" + escapedXml(title) + "</h2><span>" +
           escapedXml(remark) + "</span></div>\n" + body + "</section>\n";
}

std::string paragraph(const std::string& text, const char* kind)
{
    return (kind ? "<p class=\"" + std::string(kind) + "\">" : "<p>") + escapedXml(text) + "</p>\n";
}

} // namespace triaxis
