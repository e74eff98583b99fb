#pragma once

#include <string>

namespace triaxis
{

/// The setting of a drawn plan by what checkPlan() of a priced one calls it: "layout.tp" for
/// "plan.tp". Others are returned as they are.
std::string drawnSetting(const std::string& priced);

} // namespace triaxis
