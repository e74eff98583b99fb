#include "launcher/supervisor.h"

#include "engine/core/error.h"

namespace triaxis
{

ProgramPaths findPrograms()
{
    std::error_code code;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", code);
    if (code)
        throw Error("cannot find the programs of Triaxis", "/proc/self/exe: " + code.message(),
                    "mount /proc");
    const std::filesystem::path folder = self.parent_path();
    return {folder / "triaxis", folder / "triaxis-rank", folder / "triaxis-gui"};
}

} // namespace triaxis
