#include "engine/core/error.h"
#include "engine/layout/advice.h"
#include "engine/layout/choices.h"
#include "engine/layout/layout.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace triaxis
{
namespace
{

using namespace choices;

constexpr std::int64_t maximumRanks = 65'536;

bool tensorSizeFits(const ModelSpec& model, int tp)
{
    return model.heads % tp == 0 && (model.kvHeads % tp == 0 || tp % model.kvHeads == 0) &&
           model.feedForward % tp == 0 && tp <= model.vocabulary;
}

std::string mendTensorSize(const ModelSpec& model, int tp)
{
    std::vector<std::int64_t> sizes;
    for (int size = 1; size <= model.heads; ++size) {
        if (tensorSizeFits(model, size))
            sizes.push_back(size);
    }
    std::string mend = "use a tensor-parallel size of " + alternatives(nearest(sizes, tp));
    if (sizes.size() > 1)
        mend += "; the nearest is " + text(nearest(sizes, tp, 1).front());
    return mend;
}

/// The rules of one plan; each member adds what it finds.
class Rules
{
public:
    Rules(const Layout& layout, const ModelSpec& model, const BatchShape& batch, int availableRanks)
        : m_layout(layout), m_model(model), m_batch(batch), m_available(availableRanks)
    {
    }

    std::vector<Diagnostic> check()
    {
        checkAxisSizes();
        checkBatchSizes();
        checkModelSizes();
        if (!m_findings.empty())
            return m_findings;
        checkRankCount();
        checkHeads();
        checkKeyValueHeads();
        checkFeedForward();
        checkVocabulary();
        checkLayers();
        checkBatch();
        checkSequence();
        return m_findings.empty() ? adviceFor(m_layout, m_model, m_batch) : m_findings;
    }

private:
    void add(std::string what, std::string where, std::string why, std::string mend)
    {
        m_findings.push_back(
            {Severity::Error, std::move(what), std::move(where), std::move(why), std::move(mend)});
    }

    void atLeastOne(int value, const char* name, const char* where, const char* why)
    {
        if (value < 1)
            add(std::string("the ") + name + " is " + text(value), where, why, "use 1 or more");
    }

    void checkAxisSizes()
    {
        constexpr const char* why = "every axis has at least one rank";
        atLeastOne(m_layout.dp, "data-parallel size", "layout.dp", why);
        atLeastOne(m_layout.tp, "tensor-parallel size", "layout.tp", why);
        atLeastOne(m_layout.pp, "pipeline-parallel size", "layout.pp", why);
        atLeastOne(m_layout.virtualStages, "number of chunks a stage", "layout.virtualStages",
                   "every stage holds at least one chunk of the model");
        RankOrder sorted = m_layout.order;
        std::sort(sorted.begin(), sorted.end());
        if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
            add("the rank order " + toText(m_layout.order) + " names an axis twice", "layout.order",
                "ranks run through each axis once", "use " + toText(megatronOrder));
    }

    void checkBatchSizes()
    {
        atLeastOne(m_batch.globalBatch, "global batch size", "training.globalBatch",
                   "a step trains on at least one sequence");
        atLeastOne(m_batch.microbatch, "microbatch size", "training.microbatch",
                   "a microbatch holds at least one sequence");
        atLeastOne(m_batch.sequence, "sequence length", "training.sequence",
                   "a sequence has at least one token");
    }

    void checkModelSizes()
    {
        try {
            checkModel(m_model);
        } catch (const Error& error) {
            add(error.object(), "model", "the sizes of a transformer must fit together",
                error.remedy());
        }
    }

    void checkRankCount()
    {
        const std::int64_t plane = std::int64_t(m_layout.dp) * m_layout.tp;
        // Both products may be large: the second is formed only where the first is small.
        if (plane > maximumRanks || plane * m_layout.pp > maximumRanks) {
            add(toText(m_layout) + " needs more than " + text(maximumRanks) + " ranks", "layout",
                "Triaxis plans up to " + text(maximumRanks) + " ranks",
                "use smaller sizes whose product is at most " + text(maximumRanks));
            return;
        }
        const int ranks = m_layout.ranks();
        if (m_available < 0 || ranks <= m_available)
            return;
        add(toText(m_layout) + " needs " + plural(ranks, "rank") + ", and there " +
                (m_available == 1 ? "is " : "are ") + text(m_available),
            "layout", "data × tensor × pipeline ranks run at the same time", mendRankCount());
    }

    std::string mendRankCount() const
    {
        const std::string more = "make " + plural(m_layout.ranks(), "rank") + " available";
        const int replica = m_layout.tp * m_layout.pp;
        if (replica <= m_available)
            return "use a data-parallel size of " + text(m_available / replica) + ", or " + more;
        if (m_layout.tp <= m_available)
            return "use a data-parallel size of 1 and a pipeline-parallel size of " +
                   text(m_available / m_layout.tp) + ", or " + more;
        return "use sizes whose product is at most " + text(std::max(m_available, 1)) + ", or " +
               more;
    }

    void checkHeads()
    {
        if (m_model.heads % m_layout.tp != 0)
            add(plural(m_model.heads, "attention head") + " cannot be split over " +
                    plural(m_layout.tp, "tensor rank"),
                "layout.tp", "every tensor rank computes the same number of whole attention heads",
                mendTensorSize(m_model, m_layout.tp));
    }

    void checkKeyValueHeads()
    {
        const int tp = m_layout.tp, heads = m_model.kvHeads;
        if (heads == m_model.heads || heads % tp == 0 || tp % heads == 0)
            return;
        add(plural(heads, "key/value head") + " can neither be split over " +
                plural(tp, "tensor rank") + " nor repeated evenly on them",
            "layout.tp",
            "each key/value head lives whole on a tensor rank; with more ranks than heads each is "
            "held by the same number of ranks",
            mendTensorSize(m_model, tp));
    }

    void checkFeedForward()
    {
        if (m_model.feedForward % m_layout.tp != 0)
            add("the MLP's inner width of " + text(m_model.feedForward) + " cannot be split over " +
                    plural(m_layout.tp, "tensor rank"),
                "layout.tp", "every tensor rank computes the same number of the MLP's inner units",
                mendTensorSize(m_model, m_layout.tp));
    }

    void checkVocabulary()
    {
        if (m_layout.tp > m_model.vocabulary)
            add("a vocabulary of " + text(m_model.vocabulary) + " cannot be split over " +
                    plural(m_layout.tp, "tensor rank"),
                "layout.tp", "embedding and head are split by vocabulary entry",
                mendTensorSize(m_model, m_layout.tp));
    }

    void checkLayers()
    {
        const std::int64_t stages = std::int64_t(m_layout.pp) * m_layout.virtualStages;
        if (m_model.layers < stages) {
            add(plural(m_model.layers, "layer") + " cannot fill " +
                    plural(stages, "pipeline stage"),
                m_layout.virtualStages > 1 ? "layout.virtualStages" : "layout.pp",
                "every virtual stage holds at least one layer", mendStages());
            return;
        }
        if (!m_layout.layersPerStage.empty())
            checkExplicitSplit(stages);
    }

    std::string mendStages() const
    {
        if (m_layout.virtualStages == 1)
            return "use a pipeline-parallel size of at most " + text(m_model.layers);
        if (m_layout.pp <= m_model.layers)
            return "use at most " + plural(m_model.layers / m_layout.pp, "chunk") +
                   " a stage, a pipeline-parallel size of at most " +
                   text(m_model.layers / m_layout.virtualStages) + ", or a model with more layers";
        return "use a pipeline-parallel size of at most " + text(m_model.layers) +
               " with 1 chunk a stage";
    }

    void checkExplicitSplit(std::int64_t stages)
    {
        const std::vector<int>& split = m_layout.layersPerStage;
        constexpr const char* where = "layout.layersPerStage";
        const std::string mend = mendSplit(stages);
        if (std::int64_t(split.size()) != stages) {
            add("the layer split has " + text(std::int64_t(split.size())) +
                    (split.size() == 1 ? " entry for " : " entries for ") +
                    plural(stages, "virtual stage"),
                where, "the split names the layers of every virtual stage", mend);
            return;
        }
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < split.size(); ++i) {
            sum += split[i];
            if (split[i] < 1)
                add("virtual stage " + text(std::int64_t(i)) + " has " + plural(split[i], "layer"),
                    where, "every virtual stage holds at least one layer", mend);
        }
        if (sum != m_model.layers)
            add("the layer split adds up to " + text(sum) + " of " +
                    plural(m_model.layers, "layer"),
                where, "every layer belongs to exactly one stage", mend);
    }

    std::string mendSplit(std::int64_t stages) const
    {
        constexpr std::int64_t longestSplit = 64;
        if (stages > longestSplit)
            return "leave the split empty for the even one";
        return "use " + joined(defaultLayerSplit(m_model.layers, int(stages))) +
               ", or leave the split empty for the even one";
    }

    void checkBatch()
    {
        const std::int64_t unit = std::int64_t(m_layout.dp) * m_batch.microbatch;
        if (m_batch.globalBatch % unit == 0)
            return;
        add("a global batch of " + plural(m_batch.globalBatch, "sequence") +
                " cannot be cut into microbatches of " + text(m_batch.microbatch) + " on " +
                plural(m_layout.dp, "replica"),
            "training.globalBatch",
            "the global batch is data-parallel size × microbatch size × number of microbatches",
            mendBatch(unit));
    }

    std::string mendBatch(std::int64_t unit) const
    {
        const std::int64_t below = m_batch.globalBatch / unit * unit;
        std::vector<std::int64_t> batches;
        if (below > 0)
            batches.push_back(below);
        batches.push_back(below + unit);
        std::string mend = "use a global batch of " + alternatives(batches);
        if (m_batch.globalBatch % m_layout.dp == 0) {
            const std::int64_t perReplica = m_batch.globalBatch / m_layout.dp;
            mend += ", or a microbatch of " + text(largestDivisor(perReplica, m_batch.microbatch));
        }
        return mend;
    }

    void checkSequence()
    {
        if (m_batch.sequence > m_model.positions)
            add("sequences of " + plural(m_batch.sequence, "token") +
                    " are longer than the model's " + plural(m_model.positions, "position"),
                "training.sequence", "the model knows no positions beyond its longest sequence",
                "use a sequence length of at most " + text(m_model.positions));
    }

    const Layout& m_layout;
    const ModelSpec& m_model;
    const BatchShape& m_batch;
    int m_available;
    std::vector<Diagnostic> m_findings;
};

} // namespace

std::vector<Diagnostic> checkLayout(const Layout& layout, const ModelSpec& model,
                                    const BatchShape& batch, int availableRanks)
{
    return Rules(layout, model, batch, availableRanks).check();
}

} // namespace triaxis
