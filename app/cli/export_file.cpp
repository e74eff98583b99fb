#include "app/cli/export_file.h"

#include "engine/core/error.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <unistd.h>

namespace triaxis::cli
{

namespace
{

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const char* remedy)
{
    const std::string reason = errno != 0 ? std::strerror(errno) : "it cannot be written";
    throw Error("cannot export", path.string() + ": " + reason, remedy);
}

void writeStream(const fs::path& path, const fs::path& shown, const std::function<void(std::ostream&)>& write)
{
    errno = 0;
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    if (!out)
        fail(shown, "choose another place for it");
    write(out);
    out.close();
    if (!out)
        fail(shown, "free some space, or choose another place for it");
}

/// A pipe or a device is written as it is; a file beside it cannot take its place.
bool isSpecial(const fs::path& path)
{
    std::error_code ignored;
    return fs::exists(path, ignored) && !fs::is_regular_file(path, ignored) && !fs::is_directory(path, ignored);
}

} // namespace

void writeFile(const fs::path& path, const std::function<void(std::ostream&)>& write)
{
    if (path == "-") {
        write(std::cout);
        if (!std::cout.flush())
            throw Error("cannot export", "standard output cannot be written", "give a file with --output");
        return;
    }
    if (isSpecial(path)) {
        writeStream(path, path, write);
        return;
    }
    fs::path part = path;
    part += ".part" + std::to_string(getpid());
    std::error_code error;
    try {
        writeStream(part, path, write);
    } catch (...) {
        fs::remove(part, error);
        throw;
    }
    fs::rename(part, path, error);
    if (error) {
        errno = error.value();
        std::error_code ignored;
        fs::remove(part, ignored);
        fail(path, "choose another place for it");
    }
}

} // namespace triaxis::cli
