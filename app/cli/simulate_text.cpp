#include "app/cli/simulate_result.h"

#include "engine/core/units.h"
#include "engine/schedule/generators.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace triaxis::cli
{
namespace
{

std::string bytesText(double bytes)
{
    return units::bytes(std::int64_t(std::clamp(bytes, 0.0, 9e18)));
}

/// What fills a column behind or in front of a text, counted by what is seen: many characters have
/// several bytes.
std::string spaces(const std::string& text, int width)
{
    int seen = 0;
    for (const char c : text)
        seen += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    return std::string(std::size_t(std::max(0, width - seen)), ' ');
}

std::string padded(const std::string& text, int width)
{
    return spaces(text, width) + text;
}

std::string column(const std::string& text, int width)
{
    return text + spaces(text, width);
}

void printHead(const SimulateResult& r)
{
    std::printf("%s on %d × %s (%s), %s, %s\n", r.job.model.name.c_str(), r.job.devices,
                r.job.cluster.device.title.c_str(), r.job.cluster.title.c_str(),
                r.job.software.title.c_str(), toText(r.job.precision));
    std::printf("layout: dp %d · tp %d · cp %d · pp %d", r.plan.dp, r.plan.tp, r.plan.cp,
                r.plan.pp);
    if (r.plan.virtualStages > 1)
        std::printf(" × %d chunks", r.plan.virtualStages);
    if (r.plan.ep > 1)
        std::printf(" · ep %d", r.plan.ep);
    std::printf(" · %s · recompute %s · ZeRO %s%s\n", scheduleTitle(r.plan.schedule).c_str(),
                toText(r.plan.recompute), toText(r.plan.zero),
                r.plan.sequenceParallel ? " · sequence parallel" : "");
    std::printf("batch: %lld sequences of %d tokens, %lld microbatches of %d a replica\n\n",
                static_cast<long long>(r.job.globalBatch), r.job.sequence,
                static_cast<long long>(r.plan.microbatches(r.job.globalBatch)), r.plan.microbatch);
}

/// Where the expected error comes from.
std::string errorReason(const SimulateResult& r)
{
    std::string outside;
    for (const std::string& what : outsideOfProfile(r.job, r.plan))
        outside += (outside.empty() ? "" : ", ") + what;
    if (!outside.empty())
        return "outside of what its software's constants were fitted on: " + outside;
    if (doublingsBeyondProfile(r.job) > 0)
        return "more for each doubling of the " +
               std::to_string(r.job.software.domain.mostDevices) +
               " devices that its software's constants were fitted on";
    return "mean error of this software's predictions";
}

void printStep(const SimulateResult& r)
{
    const double share = r.estimate.seconds / r.seconds;
    const double peak = r.job.cluster.device.peakOf(r.job.precision);
    std::printf("predicted step     %s ± %s (%s)\n", units::seconds(r.seconds).c_str(),
                units::percent(r.estimate.expectedError).c_str(), errorReason(r).c_str());
    if (r.perturbed)
        std::printf("  unperturbed      %s; %d pipelines were played one by one: %s longer\n",
                    units::seconds(r.estimate.seconds).c_str(), r.perturbed->pipelines,
                    units::percent(r.seconds / r.estimate.seconds - 1).c_str());
    std::printf("tokens a second    %s (%s a device)\n",
                units::count(r.estimate.tokensPerSecond * share).c_str(),
                units::count(r.estimate.tokensPerSecond * share / r.job.devices).c_str());
    std::printf("MFU                %s (%s of model arithmetic a device; with recompute %s)\n\n",
                units::percent(r.estimate.modelFlopsPerDevice * share / peak).c_str(),
                units::flopsPerSecond(r.estimate.modelFlopsPerDevice * share).c_str(),
                units::flopsPerSecond(r.estimate.hardwareFlopsPerDevice * share).c_str());
}

void printPart(const SimulateResult& r, const char* name, double seconds)
{
    if (seconds > 0)
        std::printf("  %-40s%s%s\n", name, padded(units::seconds(seconds), 12).c_str(),
                    padded(units::percent(seconds / r.estimate.seconds), 10).c_str());
}

void printParts(const SimulateResult& r)
{
    std::printf("where the%s step's time goes (busiest stage)\n",
                r.perturbed ? " unperturbed" : "");
    const StepEstimate& e = r.estimate;
    printPart(r, "compute", e.compute);
    printPart(r, "exposed communication in layers", e.exposed);
    printPart(r, "bubble and transfers", e.bubble);
    printPart(r, "gradients, not hidden", e.tail.gradients);
    printPart(r, "ZeRO in every microbatch, not hidden", e.tail.gathers);
    printPart(r, "tied embedding", e.tail.embedding);
    printPart(r, "update", e.tail.optimizer);
    printPart(r, "software, once a step", e.tail.overhead);
    if (r.criticalPath)
        std::printf("  critical path: compute %s, collectives in layers %s, transfers %s, "
                    "reductions %s, update %s\n",
                    units::seconds(r.criticalPath->compute).c_str(),
                    units::seconds(r.pathCollectives).c_str(),
                    units::seconds(r.criticalPath->transfers).c_str(),
                    units::seconds(r.criticalPath->reductions).c_str(),
                    units::seconds(r.criticalPath->update).c_str());
}

void printStages(const SimulateResult& r)
{
    std::printf("\nexposed by axis     tensor     context      expert    pipeline        data"
                "      bubble\n");
    constexpr std::size_t most = 64;
    for (std::size_t s = 0; s < std::min(most, r.exposed.size()); ++s) {
        const ExposedTime& e = r.exposed[s];
        std::printf("  stage %-6zu", s);
        for (const double seconds : {e.tensor, e.context, e.expert, e.pipeline, e.data})
            std::printf("%s", padded(seconds > 0 ? units::seconds(seconds) : "–", 12).c_str());
        std::printf("%s\n", padded(units::percent(r.bubbles[s]), 12).c_str());
    }
    if (r.exposed.size() > most)
        std::printf("  … %zu more; see --json\n", r.exposed.size() - most);
}

void printMemory(const SimulateResult& r)
{
    const auto available = double(r.job.cluster.device.memoryBytes);
    const auto fullest = std::max_element(
        r.memory.begin(), r.memory.end(),
        [](const MemoryParts& a, const MemoryParts& b) { return a.total() < b.total(); });
    std::printf("\nmemory             %s of %s on stage %d\n", bytesText(fullest->total()).c_str(),
                bytesText(available).c_str(), int(fullest - r.memory.begin()));
    if (!r.showMemory)
        return;
    std::printf("            weights   gradients   optimizer activations      logits     gathers"
                "   workspace   allocator       fixed       total\n");
    for (std::size_t s = 0; s < r.memory.size(); ++s) {
        const MemoryParts& m = r.memory[s];
        std::printf("  stage %-3zu", s);
        for (const double part : {m.weights, m.gradients, m.optimizer, m.activations, m.logits,
                                  m.gathers, m.workspace, m.allocator, m.fixed, m.total()})
            std::printf("%s", padded(part > 0 ? bytesText(part) : "–", 12).c_str());
        std::printf("\n");
    }
}

void printOutOfMemory(const OutOfMemory& out)
{
    std::printf("\nout of memory: stage %d needs %s, and the device has %s\n", out.stage,
                bytesText(out.needed).c_str(), bytesText(out.available).c_str());
    std::printf("  largest:");
    for (std::size_t i = 0; i < std::min<std::size_t>(4, out.largest.size()); ++i)
        std::printf("%s %s %s", i ? "," : "", out.largest[i].first.c_str(),
                    bytesText(out.largest[i].second).c_str());
    if (out.instant)
        std::printf("\n  it no longer fits %s into the step, at the %s, with %d of them kept\n",
                    units::seconds(out.instant->begin).c_str(), toText(out.instant->id).c_str(),
                    out.liveThen);
    else
        std::printf("\n  it does not fit before the first forward\n");
    if (out.mends.empty())
        std::printf("  no one or two changes of this layout make it fit: use more devices\n");
    else
        std::printf("  what fits, quickest first:\n");
    for (const MemoryMend& mend : out.mends)
        std::printf("    %-60s step %s, %s\n", mend.text().c_str(),
                    units::seconds(mend.seconds).c_str(), bytesText(mend.memory).c_str());
}

void printWhatIf(const std::vector<WhatIf>& rows)
{
    std::printf("\n  %s%s        step      effect      memory\n", column("what if", 40).c_str(),
                column("change", 34).c_str());
    for (const WhatIf& row : rows) {
        std::printf("  %s%s", column(row.what, 40).c_str(), column(row.change, 34).c_str());
        if (!row.refusal.empty()) {
            std::printf(" cannot run: %s\n", row.refusal.c_str());
            continue;
        }
        const std::string effect =
            (row.effect > 0 ? "+" : "−") + units::percent(std::abs(row.effect));
        std::printf("%s%s%s\n", padded(units::seconds(row.seconds), 12).c_str(),
                    padded(effect, 12).c_str(), padded(bytesText(row.memory), 12).c_str());
    }
}

} // namespace

void printSimulateText(const SimulateResult& r)
{
    printHead(r);
    for (const Diagnostic& finding : r.diagnostics)
        std::printf("%s\n", toText(finding).c_str());
    printStep(r);
    printParts(r);
    printStages(r);
    printMemory(r);
    if (r.outOfMemory)
        printOutOfMemory(*r.outOfMemory);
    if (!r.whatIf.empty())
        printWhatIf(r.whatIf);
    for (const std::string& file : r.files)
        std::printf("\nwritten: %s", file.c_str());
    if (!r.files.empty())
        std::printf("\n");
}

} // namespace triaxis::cli
