#include "ui/plan/schedule_picture.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace triaxis::ui
{
namespace
{

constexpr double headerWidth = 56;
constexpr double labelWidthPerDigit = 7;

double durationOf(Kind kind, const UnitDurations& durations)
{
    switch (kind) {
    case Kind::Forward:
        return durations.forward;
    case Kind::Backward:
        return durations.backward;
    case Kind::BackwardInput:
        return durations.backwardInput;
    case Kind::BackwardWeight:
        return durations.backwardWeight;
    case Kind::SendActivation:
    case Kind::ReceiveActivation:
    case Kind::SendGradient:
    case Kind::ReceiveGradient:
    case Kind::Wait:
    case Kind::GradientReduce:
    case Kind::TiedReduce:
    case Kind::ReplicaReduce:
    case Kind::NormReduce:
    case Kind::OptimizerStep:
    case Kind::LossReduce:
    case Kind::TensorCollective:
        return 0;
    }
    return 0;
}

bool givesGradient(Kind kind)
{
    return kind == Kind::Backward || kind == Kind::BackwardInput;
}

/// Places steps in order on every stage as soon as what they consume is there.
class Placer
{
public:
    Placer(const ComputeProgram& program, const UnitDurations& durations)
        : m_program(program), m_durations(durations),
          m_last(program.stages * program.chunks / std::max(1, program.replicas) - 1),
          m_next(program.order.size()), m_free(program.order.size())
    {
    }

    PlacedSchedule place()
    {
        bool moved = true;
        while (moved) {
            moved = false;
            for (std::size_t stage = 0; stage < m_program.order.size(); ++stage) {
                while (placeNext(stage))
                    moved = true;
            }
        }
        finish();
        return std::move(m_result);
    }

private:
    using Key = std::tuple<int, int, int>; ///< replica, virtual stage, microbatch

    bool placeNext(std::size_t stage)
    {
        const auto& order = m_program.order[stage];
        if (m_next[stage] >= order.size())
            return false;
        const ComputeStep& step = order[m_next[stage]];
        const auto chunk = std::size_t(step.chunk.value);
        const int virtualStage = m_program.virtualStage[stage][chunk];
        const Key here{m_program.replica[stage][chunk], virtualStage, step.microbatch.value};
        const std::optional<double> ready = readyTime(step.kind, here);
        if (!ready)
            return false;
        const double begin = std::max(*ready, m_free[stage]);
        const double end = begin + durationOf(step.kind, m_durations);
        if (step.kind == Kind::Forward)
            m_forward[here] = end;
        else if (givesGradient(step.kind))
            m_gradient[here] = end;
        m_free[stage] = end;
        ++m_next[stage];
        m_result.steps.push_back({int(stage), step, begin, end});
        m_result.length = std::max(m_result.length, end);
        return true;
    }

    std::optional<double> readyTime(Kind kind, const Key& here) const
    {
        const auto& [replica, virtualStage, microbatch] = here;
        if (kind == Kind::Forward)
            return virtualStage == 0 ? std::optional<double>(0.0)
                                     : find(m_forward, {replica, virtualStage - 1, microbatch});
        if (kind == Kind::BackwardWeight)
            return find(m_gradient, here);
        if (virtualStage == m_last)
            return find(m_forward, here);
        return find(m_gradient, {replica, virtualStage + 1, microbatch});
    }

    static std::optional<double> find(const std::map<Key, double>& times, const Key& key)
    {
        const auto found = times.find(key);
        return found == times.end() ? std::nullopt : std::optional<double>(found->second);
    }

    void finish()
    {
        for (std::size_t stage = 0; stage < m_program.order.size(); ++stage) {
            int live = 0;
            int most = 0;
            double busy = 0;
            for (const ComputeStep& step : m_program.order[stage]) {
                live += step.kind == Kind::Forward      ? 1
                        : step.kind == Kind::Backward ||
                                step.kind == Kind::BackwardWeight
                            ? -1
                            : 0;
                most = std::max(most, live);
                busy += durationOf(step.kind, m_durations);
            }
            m_result.peakLive.push_back(most);
            m_result.idle.push_back(m_result.length > 0 ? 1 - busy / m_result.length : 0);
        }
    }

    const ComputeProgram& m_program;
    UnitDurations m_durations;
    int m_last;
    std::vector<std::size_t> m_next;
    std::vector<double> m_free;
    std::map<Key, double> m_forward;
    std::map<Key, double> m_gradient;
    PlacedSchedule m_result;
};

Ink inkOfStep(Kind kind)
{
    return inkOf(categoryOf(kind));
}

} // namespace

PlacedSchedule place(const ComputeProgram& program, const UnitDurations& durations)
{
    return Placer(program, durations).place();
}

DisplayList drawSchedule(const PlacedSchedule& schedule, int stages, double width, double height,
                         double narrowest)
{
    DisplayList list;
    const double unit =
        std::max(narrowest, (width - headerWidth) / std::max(1.0, schedule.length));
    const double pitch = std::clamp(height / std::max(1, stages), 14.0, 46.0);
    const double row = pitch - std::min(6.0, pitch * 0.2);
    list.width = std::max(width, headerWidth + unit * schedule.length);
    list.height = pitch * stages;
    for (int stage = 0; stage < stages; ++stage) {
        const double y = stage * pitch;
        list.items.push_back(DrawText{headerWidth - 10, y + row / 2,
                                      "stage " + std::to_string(stage), Ink::MutedText, 11,
                                      Align::Right});
        list.items.push_back(
            FillRect{headerWidth, y, unit * schedule.length, row, Ink::Idle, 2});
    }
    for (const PlacedStep& placed : schedule.steps) {
        const double x = headerWidth + placed.begin * unit;
        const double y = placed.stage * pitch;
        const double length = (placed.end - placed.begin) * unit;
        const Ink ink = inkOfStep(placed.step.kind);
        list.items.push_back(FillRect{x, y, std::max(1.0, length - 1), row, ink, 2});
        const std::string label = std::to_string(placed.step.microbatch.value + 1);
        if (length < labelWidthPerDigit * double(label.size()) + 2)
            continue;
        DrawText text{x + (length - 1) / 2, y + row / 2, label, ink, 11, Align::Centre};
        text.bold = true;
        text.contrast = true;
        list.items.push_back(text);
    }
    return list;
}

std::string scheduleTitle(const std::string& name)
{
    if (name == "1f1b")
        return "1F1B";
    if (name == "gpipe")
        return "GPipe";
    return name;
}

} // namespace triaxis::ui
