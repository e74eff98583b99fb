#include "engine/layout/advice.h"

#include "engine/layout/choices.h"

#include <algorithm>

namespace triaxis
{
namespace
{

using namespace choices;

void add(std::vector<Diagnostic>& to, Severity severity, std::string what, std::string where,
         std::string why, std::string mend)
{
    to.push_back({severity, std::move(what), std::move(where), std::move(why), std::move(mend)});
}

void adviseBubble(std::vector<Diagnostic>& to, const Layout& layout, const BatchShape& batch)
{
    const std::int64_t m = batch.microbatches(layout.dp), p = layout.pp;
    if (m >= p)
        return;
    const std::int64_t idle = 100 * (p - 1) / (m + p - 1);
    add(to, Severity::Warning,
        plural(m, "microbatch") + " cannot keep " + plural(p, "stage") + " busy: about " +
            text(idle) + " % of the time is bubble",
        "training.globalBatch", "the bubble is (P − 1) / (M + P − 1) of a step",
        "use at least " + text(p) + " microbatches a step: a global batch of " +
            text(p * layout.dp * batch.microbatch) + " or more");
}

std::string mendUnevenSplit(const Layout& layout, const ModelSpec& model, std::int64_t stages)
{
    if (model.layers % stages == 0)
        return "give every stage " + plural(model.layers / stages, "layer") +
               " unless the embedding or the head is to be balanced";
    std::vector<std::int64_t> divisors;
    for (std::int64_t size = 1; size * layout.virtualStages <= model.layers; ++size) {
        if (model.layers % (size * layout.virtualStages) == 0)
            divisors.push_back(size);
    }
    if (divisors.empty())
        return "use fewer chunks a stage for an even split";
    return "an even split needs a pipeline-parallel size of " +
           alternatives(nearest(divisors, layout.pp));
}

void adviseSplit(std::vector<Diagnostic>& to, const Layout& layout, const ModelSpec& model)
{
    const std::vector<int> split = layerSplit(layout, model);
    const auto [least, most] = std::minmax_element(split.begin(), split.end());
    if (*least == *most)
        return;
    add(to, Severity::Note,
        "the stages hold between " + text(*least) + " and " + plural(*most, "layer"),
        layout.layersPerStage.empty() ? "layout.pp" : "layout.layersPerStage",
        "the stage with the most work sets the pace of the pipeline",
        mendUnevenSplit(layout, model, std::int64_t(split.size())));
}

void adviseTensorSize(std::vector<Diagnostic>& to, const Layout& layout, const ModelSpec& model)
{
    const int tp = layout.tp;
    if ((tp & (tp - 1)) != 0)
        add(to, Severity::Note, "the tensor-parallel size " + text(tp) + " is no power of two",
            "layout.tp", "collectives and matrix products run best on sizes that are powers of two",
            "");
    const std::int64_t rows = (std::int64_t(model.vocabulary) + tp - 1) / tp;
    if (rows * (tp - 1) >= model.vocabulary)
        add(to, Severity::Note, "the last tensor ranks hold no vocabulary entries", "layout.tp",
            "each tensor rank holds " + plural(rows, "row") +
                " of the vocabulary until there are none left",
            "");
}

} // namespace

std::vector<Diagnostic> adviceFor(const Layout& layout, const ModelSpec& model,
                                  const BatchShape& batch)
{
    std::vector<Diagnostic> findings;
    adviseBubble(findings, layout, batch);
    adviseSplit(findings, layout, model);
    adviseTensorSize(findings, layout, model);
    return findings;
}

} // namespace triaxis
