#include "engine/formats/model_shape_json.h"

namespace triaxis
{

nlohmann::ordered_json toJson(const ModelShape& shape)
{
    nlohmann::ordered_json json{{"name", shape.name},
                                {"layers", shape.layers},
                                {"hidden", shape.hidden},
                                {"heads", shape.heads},
                                {"kvHeads", shape.kvHeads},
                                {"headSize", shape.headSize},
                                {"feedForward", shape.feedForward},
                                {"gatedMlp", shape.gatedMlp},
                                {"vocabulary", shape.vocabulary},
                                {"positions", shape.positions},
                                {"tiedHead", shape.tiedHead},
                                {"biases", shape.biases},
                                {"predictedTokens", shape.predictedTokens}};
    if (shape.expert.experts > 0)
        json["expert"] = {{"experts", shape.expert.experts},
                          {"activeExperts", shape.expert.activeExperts},
                          {"sharedExperts", shape.expert.sharedExperts},
                          {"expertFeedForward", shape.expert.expertFeedForward},
                          {"denseLayers", shape.expert.denseLayers}};
    if (shape.expert.groups > 0) {
        json["expert"]["groups"] = shape.expert.groups;
        json["expert"]["activeGroups"] = shape.expert.activeGroups;
    }
    if (shape.latent.keyValueRank > 0)
        json["latent"] = {{"queryRank", shape.latent.queryRank},
                          {"keyValueRank", shape.latent.keyValueRank},
                          {"ropeHead", shape.latent.ropeHead},
                          {"valueHead", shape.latent.valueHead}};
    return json;
}

} // namespace triaxis
