# triaxis_embed_json(TARGET): compiles resources/*.json, resources/models/*.json, resources/translations/*.json and resources/plans/*.triaxis into the target
# as text, so that the programs need no data files. Each is known by its path below resources without its ending: "devices",
# "models/gpt2", "plans/10-one-rank".
# engine/core/embedded_text.h declares what the generated source defines.
function(triaxis_embed_json target)
    set(folder ${CMAKE_SOURCE_DIR}/resources)
    file(GLOB files CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.json ${folder}/models/*.json ${folder}/translations/*.json
         ${folder}/plans/*.triaxis)
    set(entries)
    foreach(file IN LISTS files)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/${file})
        string(REGEX REPLACE "\\.(json|triaxis)$" "" name ${file})
        file(READ ${folder}/${file} text)
        string(APPEND entries "    {\"${name}\", R\"json(${text})json\"},\n")
    endforeach()
    set(generated ${CMAKE_BINARY_DIR}/generated/embedded_text.cpp)
    file(CONFIGURE OUTPUT ${generated} @ONLY CONTENT [[
#include "engine/core/embedded_text.h"

namespace triaxis
{
namespace
{

constexpr EmbeddedText texts[] = {
@entries@};

} // namespace

std::span<const EmbeddedText> embeddedTexts()
{
    return texts;
}

} // namespace triaxis
]])
    target_sources(${target} PRIVATE ${generated})
endfunction()
