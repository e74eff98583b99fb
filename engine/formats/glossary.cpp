#include "engine/formats/glossary.h"

#include "engine/core/error.h"
#include "engine/timeline/bubble_phases.h"

#include <algorithm>

namespace triaxis
{
namespace
{

using Entries = std::vector<GlossaryEntry>;

const char* const shareOfStep = "% of the step";

void addSpeed(Entries& entries)
{
    entries.insert(
        entries.end(),
        {{"step-time", "Step time", "s, ms, µs", "median of the durations of steps 2 to n",
          "Median over the steps, measured on rank 0, the first step left out."},
         {"steady-step", "Steady step", "", "",
          "Of the steps whose spans are whole, without the first, the one of median duration. The "
          "timeline, the bubble and the slowest rank of a report are of this step."},
         {"middle-half", "Middle half", "s, ms, µs", "from the lower to the upper quartile",
          "Half of the steps lie within it: how far they scatter about the median."},
         {"tokens-per-second", "Tokens / s", "tokens/s",
          "global batch × sequence length ÷ step time",
          "Tokens that all replicas together train on in a second."},
         {"model-work", "Work a step", "FLOP",
          "3 × (2 × weights of the matrix products + 2 × layers × width × (sequence + 1)) × tokens",
          "Model arithmetic counts forward and backward once (no recomputation), causal attention "
          "half."},
         {"mfu", "MFU", "% of the peak", "work a step ÷ (step time × peak of all devices)",
          "Model FLOPs over what the devices' peak would do in that time; recomputed work does not "
          "count."},
         {"speed-up", "Speed-up", "×", "tokens/s ÷ tokens/s of the base",
          "How many times as fast as the layout with the fewest ranks."},
         {"efficiency", "Efficiency", "%", "speed-up ÷ (ranks ÷ ranks of the base)",
          "Which part of the added ranks became speed."}});
}

void addBubble(Entries& entries)
{
    entries.push_back(
        {"bubble", "Bubble", "%",
         "idle ÷ (end of the last forward or backward − begin of the step), mean over the stages",
         "Idle time of a rank's compute lane from the begin of the step to "
         "the end of the last forward or backward of its replica, as a share "
         "of that time; mean over the ranks of a stage. Warm-up lies before a "
         "rank's first compute span, cool-down after its last; between them "
         "idle time counts as waiting for a peer or as exposed transfer where "
         "a transfer explains it. The tail (gradient reduction, norm, "
         "optimizer, loss) follows and does not count. Time in tensor "
         "collectives is neither busy nor idle."});
    entries.push_back({"closed-form", "Closed form of the bubble", "%",
                       "(P − 1) ÷ (M + P − 1) for GPipe and 1F1B",
                       "The bubble of P equal stages, M microbatches and free transfers. What is "
                       "measured above it comes from uneven stages, transfers and the machine."});
    for (int phase = 0; phase < bubblePhaseCount; ++phase)
        entries.push_back({std::string("phase-") + toText(BubblePhase(phase)),
                           toText(BubblePhase(phase)), shareOfStep, "",
                           definitionOf(BubblePhase(phase))});
}

void addCommunication(Entries& entries)
{
    entries.insert(
        entries.end(),
        {{"wait-and-transfer", "Wait and transfer", "s, ms, µs",
          "wait = ready of the last partner − own begin; transfer = end − ready of the last "
          "partner",
          "A transfer or collective begins when the last of its partners is "
          "ready; what a rank waits before that is waiting, what follows is "
          "transfer. A receive is ready when its consumer starts to wait for "
          "it."},
         {"exposed-communication", "Exposed communication", shareOfStep, "",
          "Share of the step in which the busiest stage does nothing but communicate, by axis. "
          "Communication behind computation costs nothing and is not in it."},
         {"communication-share", "Communication", shareOfStep, "tensor + pipeline + data",
          "Mean share of a step in which a rank does nothing but communicate, by axis: inside "
          "tensor collectives, exposed transfers between stages, and sums of gradients that "
          "nothing hides; waiting for another stage is the bubble."},
         {"traffic", "Traffic", "bytes or seconds a step", "",
          "What each rank sends to each other rank in a step, mean over the steps that are shown. "
          "Collectives count as their ring: each rank sends to the next."},
         {"critical-path", "Critical path", "", "",
          "The chain of spans that leads to the end of the step, each of which could not begin "
          "before the one in front of it had ended. Only what lies on it makes the step longer."}});
}

void addRanks(Entries& entries)
{
    entries.insert(
        entries.end(),
        {{"slowest-rank", "Slowest rank", "%", "compute time ÷ mean of its stage − 1",
          "Most compute time in the steady step, without tensor collectives, "
          "against the mean of the ranks of its stage, or of all ranks where a "
          "stage has one."},
         {"straggler", "Straggler", "",
          "median compute time ≥ 1.1 × median of the others of its stage",
          "A rank that computes longer than its peers, over at least three steps."},
         {"memory", "Memory", "KiB, MiB, GiB", "largest sum of live bytes over all steps",
          "Live bytes as the rank's allocator counts them, highest of all "
          "steps. What libraries allocate by themselves is not in it."}});
}

void addTraining(Entries& entries)
{
    entries.insert(
        entries.end(),
        {{"loss", "Loss", "nats", "mean of −ln p(next token)",
          "Mean over the tokens of the global batch, in nats, before the "
          "update of the step."},
         {"best-loss", "Best reachable loss", "nats", "",
          "Entropy of the source that synthetic text is drawn from: no model can be better on "
          "average."},
         {"gradient-norm", "Gradient norm", "", "√ Σ g²",
          "Length of the gradient of all weights, over all ranks, before it is clipped."},
         {"loss-difference", "Difference of losses", "relative", "|loss ÷ loss of the base − 1|",
          "The same training in another layout computes the same up to rounding: 10⁻⁵ is expected "
          "over the first ten steps, more after them, up to a hundredth."}});
}

void addPrediction(Entries& entries)
{
    entries.insert(
        entries.end(),
        {{"prediction-error", "Error of the prediction", "%", "predicted ÷ measured − 1",
          "Below zero the prediction was too fast."},
         {"expected-error", "Expected error", "%", "mean of |predicted ÷ measured − 1|",
          "How far off such predictions were on finished runs of this machine, or on published "
          "runs that they were not fitted to."},
         {"prediction", "Predicted and measured", "", "",
          "Predicted figures come from the cost model and the simulator, measured ones from the "
          "records of a run. Each figure says which of the two it is."},
         {"units", "Units", "", "",
          "s, ms and µs are seconds; KiB, MiB and GiB are powers of 1,024 "
          "bytes, GB/s is 10⁹ bytes a second; a nat is 1.443 bits. Tables as "
          "CSV are in seconds, bytes and shares of 1."},
         {"timeline-picture", "Timeline picture", "", "",
          "Where spans are narrower than a pixel, each pixel takes the "
          "category that is owed most, idle included: painted shares are right "
          "within 0.1 points of the picture's width."}});
}

Entries makeGlossary()
{
    Entries entries;
    addSpeed(entries);
    addBubble(entries);
    addCommunication(entries);
    addRanks(entries);
    addTraining(entries);
    addPrediction(entries);
    return entries;
}

} // namespace

const std::vector<GlossaryEntry>& glossary()
{
    static const Entries entries = makeGlossary();
    return entries;
}

const GlossaryEntry& glossaryEntry(std::string_view id)
{
    const auto& entries = glossary();
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const GlossaryEntry& entry) { return entry.id == id; });
    if (found == entries.end())
        throw Error("cannot define a number", std::string(id) + " is not in the glossary",
                    "use an id of engine/formats/glossary.cpp");
    return *found;
}

std::pair<std::string, std::string> definedTerm(std::string_view id)
{
    const GlossaryEntry& entry = glossaryEntry(id);
    return {entry.term, entry.definition};
}

} // namespace triaxis
