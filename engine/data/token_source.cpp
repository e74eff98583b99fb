#include "engine/data/token_source.h"

#include "engine/core/error.h"
#include "engine/data/batch_file.h"
#include "engine/data/markov_source.h"
#include "engine/data/text_source.h"

namespace triaxis
{
namespace
{

std::unique_ptr<TokenSource> textSource(const RunPlan& plan)
{
    if (plan.model.vocabulary < byteVocabulary)
        throw Error("cannot train this model on text",
                    "model " + plan.model.name + " has " + std::to_string(plan.model.vocabulary) +
                        " vocabulary entries, and text needs " + std::to_string(byteVocabulary),
                    "choose a model with a larger vocabulary");
    return std::make_unique<TextSource>(plan.data.path, plan.training.batch.sequence,
                                        plan.training.seed);
}

} // namespace

std::unique_ptr<TokenSource> makeTokenSource(const RunPlan& plan)
{
    if (plan.training.batch.sequence < 1)
        throw Error("cannot read the data",
                    "the sequence length is " + std::to_string(plan.training.batch.sequence),
                    "use 1 or more");
    switch (plan.data.kind) {
    case DataKind::Text:
        return textSource(plan);
    case DataKind::Synthetic:
        return std::make_unique<MarkovSource>(plan.model.vocabulary, plan.training.batch.sequence,
                                              plan.training.seed);
    case DataKind::Batches:
        return std::make_unique<BatchFileSource>(plan);
    }
    return nullptr;
}

} // namespace triaxis
