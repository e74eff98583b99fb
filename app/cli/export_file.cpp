#include "app/cli/export_file.h"

#include "engine/core/error.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <unistd.h>

namespace triaxis::cli
{

void writeFile(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write)
{
    if (path == "-") {
        write(std::cout);
        if (!std::cout.flush())
            throw Error("cannot export", "standard output cannot be written", "give a file with --output");
        return;
    }
    std::filesystem::path part = path;
    part += ".part" + std::to_string(getpid());
    const auto fail = [&](const char* remedy) {
        const std::string reason = errno != 0 ? std::strerror(errno) : "it cannot be written";
        std::error_code ignored;
        std::filesystem::remove(part, ignored);
        throw Error("cannot export", path.string() + ": " + reason, remedy);
    };
    errno = 0;
    std::ofstream out(part, std::ios::binary | std::ios::trunc);
    if (!out)
        fail("choose another --output");
    write(out);
    out.close();
    if (!out)
        fail("free some space, or choose another --output");
    std::error_code error;
    std::filesystem::rename(part, path, error);
    if (error) {
        errno = error.value();
        fail("choose another --output");
    }
}

} // namespace triaxis::cli
