#pragma once

#include "engine/compare/compared_run.h"

#include <string>
#include <vector>

namespace triaxis
{

/// One setting of all compared runs.
struct SettingRow
{
    std::string path;                ///< "layout.dp", "training.learning_rate", "environment.host"
    std::vector<std::string> values; ///< by run; "–" where a run does not have it
    bool differs = false;
};

/// Every setting of the runs, in the order of their names. Long texts (a whole schedule) are given
/// by their length and a hash, so that they compare but do not fill the page. What differs of any
/// two runs and says nothing of how they were set up (id, start time, label) is left out.
std::vector<SettingRow> settingRows(const std::vector<ComparedRun>& runs);

/// Those that differ.
std::vector<SettingRow> differences(const std::vector<SettingRow>& rows);

} // namespace triaxis
