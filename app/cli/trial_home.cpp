#include "app/cli/trial_home.h"

#include "engine/record/run_directory.h"

#include <unistd.h>

namespace triaxis::cli
{

TrialHome::TrialHome() : m_path(triaxisHome() / ("trial-" + std::to_string(getpid())))
{
    std::filesystem::create_directories(m_path);
}

TrialHome::~TrialHome()
{
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

} // namespace triaxis::cli
