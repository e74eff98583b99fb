#include "launcher/scratch.h"

#include "launcher/environment.h"

#include <cstdlib>

namespace triaxis
{
namespace fs = std::filesystem;

Scratch::Scratch()
{
    make(variable("TMPDIR").value_or("/tmp"), "OMPI_MCA_orte_tmpdir_base");
    make("/dev/shm", "OMPI_MCA_btl_vader_backing_directory");
}

Scratch::~Scratch()
{
    std::error_code ignored;
    for (const fs::path& folder : m_folders)
        fs::remove_all(folder, ignored);
}

void Scratch::make(const fs::path& parent, const std::string& setting)
{
    if (variable(setting.c_str()))
        return;
    std::string name = (parent / "triaxis-XXXXXX").string();
    if (!::mkdtemp(name.data()))
        return;
    m_folders.emplace_back(name);
    m_environment.push_back(setting + "=" + name);
}

} // namespace triaxis
