#pragma once

#include "engine/record/records.h"
#include "engine/record/run_directory.h"
#include "engine/record/run_plan.h"
#include "engine/schedule/program.h"

namespace triaxis::tests
{

/// How long things take in a played run, seconds.
struct Durations
{
    double forward = 11e-3;
    double backward = 22e-3;
    double transfer = 0.8e-3;   ///< of an activation or its gradient
    double collective = 1.5e-3; ///< of a gradient bucket and the other reductions
    double optimizer = 3e-3;
    double jitter = 0;        ///< relative, of compute; from a counter-based generator
    double tensorShare = 0.1; ///< of compute, where TP > 1: collectives inside
    bool detail = false;      ///< a span for each tensor collective, two a compute span
};

/// Plays a program on every rank of a layout: compute in order, in-order lanes, rendezvous
/// transfers, waits. Spans of one step, paired, from `begin` on.
std::vector<Span> playStep(const Program& program, const Layout& layout, const Durations& durations,
                           std::int32_t step = 1, double begin = 0);

/// A small GPT-2 plan of dp × tp × pp ranks with `microbatches` a step.
RunPlan smallPlan(int dp, int tp, int pp, int microbatches, const std::string& schedule = "1f1b");

/// A whole run of a plan: spans, memory and losses of every step, as readRun() gives them.
RunRecords playRun(const RunPlan& plan, int steps, const Durations& durations);

RunEnvironment sampleEnvironment();
RunStatus finishedStatus(std::int64_t steps);

} // namespace triaxis::tests
