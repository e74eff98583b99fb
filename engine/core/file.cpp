#include "engine/core/file.h"

#include "engine/core/error.h"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace triaxis
{

std::string readFile(const std::filesystem::path& path, std::int64_t limit,
                     const std::string& tried)
{
    std::error_code code;
    const auto status = std::filesystem::status(path, code);
    if (!std::filesystem::exists(status))
        throw Error(tried, path.string() + " does not exist", "check the path");
    if (!std::filesystem::is_regular_file(status))
        throw Error(tried, path.string() + " is no regular file", "give the path of a file");
    const std::uintmax_t size = std::filesystem::file_size(path, code);
    if (code)
        throw Error(tried, path.string() + ": " + code.message());
    if (size > std::uintmax_t(limit))
        throw Error(tried,
                    path.string() + " has " + std::to_string(size) + " bytes, more than the " +
                        std::to_string(limit) + " that are read",
                    "give the right file");
    std::ifstream in(path, std::ios::binary);
    std::string text(std::size_t(size), '\0');
    in.read(text.data(), std::streamsize(size));
    if (!in.is_open() || in.bad())
        throw Error(tried, path.string() + ": " + std::strerror(errno), "check the permissions");
    text.resize(std::size_t(in.gcount()));
    return text;
}

} // namespace triaxis
