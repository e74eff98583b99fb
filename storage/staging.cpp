#include "storage/staging.h"

#include "engine/core/error.h"
#include "storage/move_directory.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace triaxis
{
namespace fs = std::filesystem;
namespace
{

fs::path stagingFolder(const fs::path& home)
{
    return home / "staging";
}

} // namespace

Staging::Staging(const fs::path& home)
{
    constexpr int tries = 10000;
    std::error_code code;
    fs::create_directories(stagingFolder(home), code);
    int error = code.value();
    for (int i = 0; i < tries && error == 0; ++i) {
        m_path = stagingFolder(home) / (std::to_string(::getpid()) + "-" + std::to_string(i));
        if (::mkdir(m_path.c_str(), 0700) != 0) {
            error = errno == EEXIST ? 0 : errno;
            continue;
        }
        // A sweeper may have come between; then another one is made.
        m_lock = DirectoryLock::tryNow(m_path);
        if (m_lock && m_lock.holds(m_path))
            return;
    }
    throw Error("cannot make a folder to work in",
                stagingFolder(home).string() + ": " + std::strerror(error ? error : EEXIST),
                "make room or give permission there, or set TRIAXIS_HOME to another place");
}

Staging::~Staging()
{
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

bool Staging::publish(const fs::path& inside, const fs::path& place, const char* tried) const
{
    return moveDirectory(inside, place, tried);
}

void Staging::sweep(const fs::path& home)
{
    std::vector<fs::path> left;
    std::error_code code;
    for (fs::directory_iterator entry(stagingFolder(home), code), end; !code && entry != end;
         entry.increment(code))
        left.push_back(entry->path());
    for (const fs::path& path : left) {
        const DirectoryLock lock = DirectoryLock::tryNow(path);
        if (lock && lock.holds(path))
            fs::remove_all(path, code);
    }
}

} // namespace triaxis
