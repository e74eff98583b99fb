# triaxis_embed_models(TARGET): compiles every configuration of resources/models into the target, so that the programs
# need no data files. engine/formats/embedded_models.h declares what the generated source defines.
function(triaxis_embed_models target)
    file(GLOB models CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/resources/models/*.json)
    set(entries)
    foreach(model IN LISTS models)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${model})
        get_filename_component(name ${model} NAME_WLE)
        file(READ ${model} text)
        string(APPEND entries "        {\"${name}\", R\"json(${text})json\"},\n")
    endforeach()
    set(generated ${CMAKE_BINARY_DIR}/generated/embedded_models.cpp)
    file(CONFIGURE OUTPUT ${generated} @ONLY CONTENT [[
#include "engine/formats/embedded_models.h"

namespace triaxis
{

std::vector<EmbeddedModel> embeddedModels()
{
    return {
@entries@    };
}

} // namespace triaxis
]])
    target_sources(${target} PRIVATE ${generated})
endfunction()
