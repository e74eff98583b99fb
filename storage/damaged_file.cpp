#include "storage/damaged_file.h"

#include "engine/record/utc.h"
#include "storage/damaged_error.h"
#include "storage/sqlite.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace triaxis
{
namespace fs = std::filesystem;
namespace
{

/// Held by whoever replaces the file.
class FileLock
{
public:
    explicit FileLock(const fs::path& file)
        : m_descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644))
    {
        if (m_descriptor >= 0)
            ::flock(m_descriptor, LOCK_EX);
    }
    ~FileLock()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

private:
    int m_descriptor;
};

bool isDamaged(const fs::path& file)
{
    try {
        const sqlite::Database database(file);
        sqlite::Statement check(database, "PRAGMA quick_check(1)");
        return !check.step() || check.text(0) != "ok";
    } catch (const DamagedError&) {
        return true;
    }
}

} // namespace

fs::path setAsideIfDamaged(const fs::path& file)
{
    const FileLock lock(file.string() + ".lock");
    if (!fs::exists(file) || !isDamaged(file))
        return {};
    fs::path aside;
    for (int i = 0; aside.empty() || fs::exists(aside); ++i)
        aside =
            file.string() + ".damaged-" + utcStamp(unixTime()) + (i ? "-" + std::to_string(i) : "");
    std::error_code code;
    fs::rename(file, aside, code);
    if (code)
        throw Error("cannot set the damaged history aside", file.string() + ": " + code.message(),
                    "remove the file; it is rebuilt from the run directories");
    for (const char* suffix : {"-wal", "-shm"})
        if (fs::exists(file.string() + suffix))
            fs::rename(file.string() + suffix, aside.string() + suffix, code);
    return aside;
}

} // namespace triaxis
