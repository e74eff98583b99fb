#include "launcher/scratch.h"

#include "engine/record/process_info.h"
#include "launcher/environment.h"

#include <regex>
#include <sys/stat.h>
#include <unistd.h>

namespace triaxis
{
namespace fs = std::filesystem;
namespace
{

/// "triaxis-PID-START-": whose folder it is.
std::string prefixOfThisProcess()
{
    const auto self = processInfo(::getpid());
    return "triaxis-" + std::to_string(::getpid()) + "-" +
           std::to_string(self ? self->startTime : 0) + "-";
}

/// A folder of this user, no link to one.
bool isOurFolder(const fs::path& path)
{
    struct stat info
    {
    };
    return ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid();
}

bool isStale(const fs::path& path)
{
    static const std::regex form("triaxis-(\\d{1,9})-(\\d{1,18})-[A-Za-z0-9]{6}");
    std::smatch match;
    const std::string name = path.filename().string();
    return std::regex_match(name, match, form) && isOurFolder(path) &&
           !isAlive(std::stoi(match[1]), std::stoll(match[2]));
}

} // namespace

void removeStaleScratch(const fs::path& parent)
{
    std::vector<fs::path> stale;
    std::error_code code;
    for (fs::directory_iterator entry(parent, code), end; !code && entry != end;
         entry.increment(code))
        if (isStale(entry->path()))
            stale.push_back(entry->path());
    for (const fs::path& folder : stale)
        fs::remove_all(folder, code);
}

Scratch::Scratch()
{
    make(variable("TMPDIR").value_or("/tmp"), {"OMPI_MCA_orte_tmpdir_base"});
    make("/dev/shm", {"OMPI_MCA_btl_vader_backing_directory", "TRIAXIS_SHARED_FOLDER"});
}

Scratch::~Scratch()
{
    std::error_code ignored;
    for (const fs::path& folder : m_folders)
        fs::remove_all(folder, ignored);
}

void Scratch::make(const fs::path& parent, std::vector<std::string> settings)
{
    // Those of the person win.
    std::erase_if(settings, [](const std::string& name) { return variable(name.c_str()); });
    if (settings.empty())
        return;
    removeStaleScratch(parent);
    std::string name = (parent / (prefixOfThisProcess() + "XXXXXX")).string();
    if (!::mkdtemp(name.data()))
        return;
    m_folders.emplace_back(name);
    for (const std::string& setting : settings)
        m_environment.push_back(setting + "=" + name);
}

} // namespace triaxis
