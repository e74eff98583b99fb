#include "engine/formats/weights.h"

#include "engine/core/error.h"
#include "engine/model/parameters.h"

#include <algorithm>
#include <set>

namespace triaxis
{
namespace
{

[[noreturn]] void refuse(const ModelSpec& model, const std::string& detail)
{
    throw Error("cannot use these weights for model " + model.name, detail,
                "give the config.json and the model.safetensors of the same model");
}

bool endsWith(const std::string& text, const std::string& end)
{
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// What checkpoints carry beside the parameters.
bool isBuffer(const std::string& name, const ModelSpec& model)
{
    switch (model.architecture) {
    case Architecture::Gpt2:
        if (endsWith(name, "attn.bias") || endsWith(name, "attn.masked_bias"))
            return true;
        break;
    case Architecture::Llama:
        if (endsWith(name, "rotary_emb.inv_freq"))
            return true;
        break;
    }
    return model.tiedHead && endsWith(name, "lm_head.weight");
}

std::string shapeText(const std::vector<std::int64_t>& shape)
{
    std::string text;
    for (const std::int64_t size : shape)
        text += (text.empty() ? "" : ", ") + std::to_string(size);
    return "[" + text + "]";
}

/// The first few names and how many more there are.
std::string someOf(const std::vector<std::string>& names)
{
    constexpr std::size_t shown = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), shown); ++i)
        text += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > shown)
        text += " and " + std::to_string(names.size() - shown) + " more";
    return text;
}

bool isReal(const std::string& dtype)
{
    return dtype == "F32" || dtype == "F64" || dtype == "F16" || dtype == "BF16";
}

void checkTensor(const TensorInfo& tensor, const ParameterSpec& parameter, const ModelSpec& model)
{
    if (tensor.shape != parameter.shape)
        refuse(model, "tensor " + tensor.name + " has the shape " + shapeText(tensor.shape) +
                          ", and the model needs " + shapeText(parameter.shape));
    if (!isReal(tensor.dtype))
        refuse(model, "tensor " + tensor.name + " has the type " + tensor.dtype +
                          " instead of F32, F64, F16 or BF16");
}

} // namespace

void checkWeights(const SafetensorsFile& file, const ModelSpec& model)
{
    std::vector<std::string> missing;
    std::set<const TensorInfo*> used;
    for (const ParameterSpec& parameter : parametersOf(model)) {
        const TensorInfo* tensor = file.find(parameter.name);
        if (!tensor) {
            missing.push_back(parameter.name);
            continue;
        }
        checkTensor(*tensor, parameter, model);
        used.insert(tensor);
    }
    if (!missing.empty())
        refuse(model, "the file lacks " + someOf(missing));
    std::vector<std::string> unknown;
    for (const TensorInfo& tensor : file.tensors()) {
        if (!used.contains(&tensor) && !isBuffer(tensor.name, model))
            unknown.push_back(tensor.name);
    }
    if (!unknown.empty())
        refuse(model, "the model does not know " + someOf(unknown));
}

} // namespace triaxis
