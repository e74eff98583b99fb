#include "engine/schedule/closed_forms.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

struct Shape
{
    int stages;        ///< P
    int microbatches;  ///< M
    int virtualStages; ///< V
    int group;         ///< N
    ShareTimes times;
};

constexpr const char* outside = "no closed form: ";

bool same(double a, double b)
{
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

bool allSame(const ShareTimes& times)
{
    return same(times.forward, times.input) && same(times.input, times.weight);
}

bool atMost(double a, double b)
{
    return a <= b || same(a, b);
}

/// The same idle on every stage where the condition holds, else its text as the reason.
void giveIdle(ClosedForm& form, const Shape& shape, double idle, const std::string& text,
              bool holds, const std::string& condition)
{
    if (!holds) {
        form.idleText = outside + ("it holds for " + condition);
        return;
    }
    form.idle.assign(shape.stages, idle);
    form.idleText = text;
}

/// What grows or falls with the stage.
template <class Value>
std::vector<double> byStage(const Shape& shape, Value value)
{
    std::vector<double> values;
    for (int stage = 0; stage < shape.stages; ++stage)
        values.push_back(value(stage));
    return values;
}

/// Fill and drain: a stage's window shrinks by one forward and one backward with each stage.
void fillAndDrain(ClosedForm& form, const Shape& shape, const std::string& text)
{
    const double step = (shape.times.forward + shape.times.backward()) / shape.virtualStages;
    form.idle.assign(shape.stages, (shape.stages - 1) * step);
    form.idleOwn = byStage(shape, [&](int stage) { return (shape.stages - 1 - stage) * step; });
    form.idleText = text;
}

void gpipeForm(ClosedForm& form, const Shape& shape)
{
    fillAndDrain(form, shape, "(P − 1)(F + B)");
    form.peakLive.assign(shape.stages, shape.microbatches);
}

void oneForwardOneBackwardForm(ClosedForm& form, const Shape& shape)
{
    fillAndDrain(form, shape, "(P − 1)(F + B)");
    form.peakLive = byStage(
        shape, [&](int stage) { return std::min(shape.stages - stage, shape.microbatches); });
}

/// N as given, or the smallest that the schedule allows; 0 if there is none.
int groupOf(const Shape& shape)
{
    for (int group = shape.group > 0 ? shape.group : shape.stages; group <= shape.microbatches;
         ++group) {
        const int rest = shape.microbatches % group;
        if (group >= shape.stages && (rest == 0 || rest >= shape.stages))
            return group;
        if (shape.group > 0)
            return 0;
    }
    return 0;
}

void interleavedForm(ClosedForm& form, const Shape& shape)
{
    const int group = groupOf(shape);
    if (group == 0) {
        form.idleText =
            outside +
            std::string("it holds for groups of N ≥ P microbatches with M mod N = 0 or ≥ P");
        return;
    }
    fillAndDrain(form, shape, "(P − 1)(F + B) / V");
    form.peakLive = byStage(shape, [&](int stage) {
        const int chunks = 2 * (shape.stages - 1 - stage) + (shape.virtualStages - 1) * group + 1;
        return std::min(double(chunks) / shape.virtualStages, double(shape.microbatches));
    });
}

void loopedBreadthFirstForm(ClosedForm& form, const Shape& shape)
{
    if (shape.microbatches >= shape.stages || shape.virtualStages == 1)
        fillAndDrain(form, shape, "(P − 1)(F + B) / V");
    else
        form.idleText = outside + std::string("it holds for M ≥ P");
    form.peakLive.assign(shape.stages, shape.microbatches);
}

void zbH1Form(ClosedForm& form, const Shape& shape)
{
    const ShareTimes& t = shape.times;
    const bool enough = shape.microbatches >= shape.stages;
    giveIdle(form, shape, (shape.stages - 1) * (t.forward + t.input - t.weight),
             "(P − 1)(F + I − W)", enough && atMost(t.weight, t.input), "M ≥ P and W ≤ I");
    if (enough)
        form.peakLive.assign(shape.stages, shape.stages);
}

void zbH2Form(ClosedForm& form, const Shape& shape)
{
    const bool enough = shape.microbatches >= 2 * shape.stages - 1;
    giveIdle(form, shape, (shape.stages - 1) * shape.times.forward, "(P − 1) F",
             enough && allSame(shape.times), "M ≥ 2P − 1 and F = I = W");
    if (!form.idle.empty())
        form.idleOwn.assign(shape.stages, 0);
    if (enough)
        form.peakLive.assign(shape.stages, 2 * shape.stages - 1);
}

void zbVForm(ClosedForm& form, const Shape& shape)
{
    const ShareTimes& t = shape.times;
    const bool enough = shape.microbatches >= 2 * shape.stages - 1;
    giveIdle(form, shape, (shape.stages - 1) * std::max(t.input / 2, t.input - t.weight),
             "(P − 1) max(I / 2, I − W)",
             enough && atMost(t.forward, t.input) && atMost(t.weight, t.forward),
             "M ≥ 2P − 1 and I ≥ F ≥ W");
    if (enough && allSame(t))
        form.idleOwn.assign(shape.stages, 0);
    if (enough)
        form.peakLive.assign(shape.stages, shape.stages);
}

/// Units of P microbatches one after the other; where a backward takes longer than a forward, each
/// unit but the first adds.
void chimeraForm(ClosedForm& form, const Shape& shape)
{
    const ShareTimes& t = shape.times;
    const int units = shape.microbatches / shape.stages;
    const bool whole = shape.stages % 2 == 0 && units * shape.stages == shape.microbatches;
    const bool equal = same(t.forward, t.backward());
    const bool twice = same(2 * t.forward, t.backward());
    giveIdle(form, shape, (shape.stages - 2) * (equal ? 1 : 1 + units) * t.forward,
             equal ? "(P − 2) F" : "(P − 2)(1 + M/P) F", whole && (equal || twice),
             "M mod P = 0 and B = F or B = 2F");
}

void dualPipeForm(ClosedForm& form, const Shape& shape)
{
    const ShareTimes& t = shape.times;
    const bool enough = shape.microbatches >= 2 * shape.stages && shape.microbatches % 2 == 0;
    giveIdle(form, shape, (shape.stages / 2 - 1) * (t.forward + 2 * t.backward() - 3 * t.weight),
             "(P/2 − 1)(F&B + B − 3W)", enough && allSame(t), "M ≥ 2P and F = I = W");
    if (enough)
        form.peakLive.assign(shape.stages, shape.stages + 1);
}

void dualPipeVForm(ClosedForm& form, const Shape& shape)
{
    const ShareTimes& t = shape.times;
    const bool enough = shape.microbatches >= 2 * shape.stages;
    giveIdle(form, shape, (shape.stages - 1) * (t.forward + 2 * t.backward() - 3 * t.weight) / 2,
             "(P − 1)(F&B + B − 3W) / 2", enough && allSame(t), "M ≥ 2P and F = I = W");
    if (enough)
        form.peakLive.assign(shape.stages, shape.stages + 0.5);
}

struct Entry
{
    const char* schedule;
    void (*fill)(ClosedForm&, const Shape&);
};

constexpr Entry entries[] = {
    {"gpipe", gpipeForm},
    {"1f1b", oneForwardOneBackwardForm},
    {"interleaved", interleavedForm},
    {"looped-bfs", loopedBreadthFirstForm},
    {"zb-h1", zbH1Form},
    {"zb-h2", zbH2Form},
    {"zb-v", zbVForm},
    {"chimera", chimeraForm},
    {"dualpipe", dualPipeForm},
    {"dualpipe-v", dualPipeVForm},
};

/// Mean over the stages of idle over work, or over work and idle.
std::optional<double> meanShare(const std::vector<double>& idle, double work, bool ofMakespan)
{
    if (idle.empty() || !(work > 0))
        return std::nullopt;
    double sum = 0;
    for (const double seconds : idle)
        sum += seconds / (work + (ofMakespan ? seconds : 0));
    return sum / double(idle.size());
}

} // namespace

std::optional<double> ClosedForm::idleOverIdeal() const
{
    return meanShare(idle, work, false);
}

std::optional<double> ClosedForm::idleOverMakespan() const
{
    return meanShare(idle, work, true);
}

std::optional<double> ClosedForm::ownIdleOverIdeal() const
{
    return meanShare(idleOwn, work, false);
}

std::optional<double> ClosedForm::ownIdleOverMakespan() const
{
    return meanShare(idleOwn, work, true);
}

ClosedForm closedForm(const ScheduleRequest& request, const ShareTimes& times)
{
    ClosedForm form;
    form.idleText = outside + std::string("none is known for this schedule");
    if (request.stages < 1 || request.microbatches < 1 || request.virtualStages < 1)
        return form;
    form.work = request.microbatches * (times.forward + times.backward());
    for (const Entry& entry : entries)
        if (request.name == entry.schedule)
            entry.fill(form, {request.stages, request.microbatches, request.virtualStages,
                              request.microbatchGroup, times});
    return form;
}

} // namespace triaxis
