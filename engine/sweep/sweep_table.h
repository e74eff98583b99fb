#pragma once

#include "engine/layout/layout.h"
#include "engine/record/records.h"
#include "engine/record/run_state.h"
#include "engine/timeline/communication_share.h"
#include "engine/timeline/display_list.h"

#include <limits>
#include <string>
#include <vector>

namespace triaxis
{

/// How the runs of a sweep went: as fast as this machine goes, or paced as devices that are not
/// here.
enum class SweepForm { Cores, Paced };

/// One layout of a sweep, measured. Figures that are not known are NaN; those of a paced sweep are
/// the target's, stretched times divided back.
struct SweepRow
{
    Layout layout;
    std::string runId;
    RunState state = RunState::Draft;
    std::string reason; ///< why there are no figures; empty if there are

    double stepSeconds = std::numeric_limits<double>::quiet_NaN(); ///< median
    double fastest =
        std::numeric_limits<double>::quiet_NaN(); ///< seconds, lower quartile of the steps
    double slowest = std::numeric_limits<double>::quiet_NaN(); ///< … upper quartile
    std::size_t steps = 0;                                     ///< that these are over
    double tokensPerSecond = std::numeric_limits<double>::quiet_NaN();
    double memoryBytes = std::numeric_limits<double>::quiet_NaN(); ///< of the fullest rank
    double memoryLimit =
        std::numeric_limits<double>::quiet_NaN(); ///< bytes of a device of the target
    CommunicationShare communication;
    double bubble = std::numeric_limits<double>::quiet_NaN();
    double finalLoss = std::numeric_limits<double>::quiet_NaN();
    double speedUp = std::numeric_limits<double>::quiet_NaN(); ///< of tokens/s, over the base
    double efficiency =
        std::numeric_limits<double>::quiet_NaN(); ///< speedUp over the ratio of ranks

    bool measured() const { return reason.empty(); }
};

/// "does not fit: 21.3 GiB of 16 GiB of a device"; empty where it fits or there is no limit. Its
/// other figures are those of a device that had the memory.
std::string memoryWarning(const SweepRow& row);

/// What a run's records tell of it. Means over the steps whose spans are kept, the first left out
/// where there are others. `stretch`, `tokensOfTarget` (of a step; 0: the run's own): see
/// SweepForm.
SweepRow sweepRow(const Layout& layout, const RunRecords& records, double stretch = 1,
                  double tokensOfTarget = 0);

/// One form of a sweep: what it was made on, in a few lines for people, and a row a layout.
struct SweepTable
{
    SweepForm form = SweepForm::Cores;
    std::string title;              ///< "On this machine's cores", "Paced as DGX A100 …"
    std::vector<std::string> notes; ///< what the figures mean, a sentence each
    std::vector<SweepRow> rows;
    int base = -1; ///< row that speed-ups refer to: one rank, else the fewest ranks; −1: none
};

/// Sets base, speed-ups and efficiencies.
void compareRows(SweepTable& table);

/// The scaling chart: a bar of the speed-up for each layout, and a mark where the number of ranks
/// would be. A hint without figures.
DisplayList drawScaling(const SweepTable& table, double width);

/// CSV with a header; a row a layout and form.
std::string sweepCsv(const std::vector<SweepTable>& tables);

const char* toText(SweepForm form); ///< "cores", "paced"

/// A share of a whole for a column, with one decimal: "19.4 %", "0.0 %"; "–" for NaN.
std::string columnShare(double share);

} // namespace triaxis
