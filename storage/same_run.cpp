#include "storage/same_run.h"

#include "storage/bundle_manifest.h"

#include <algorithm>
#include <fstream>
#include <vector>

namespace triaxis
{
namespace fs = std::filesystem;
namespace
{

bool isSameFile(const fs::path& a, const fs::path& b)
{
    std::error_code code;
    if (fs::file_size(a, code) != fs::file_size(b, code) || code)
        return false;
    std::ifstream first(a, std::ios::binary);
    std::ifstream second(b, std::ios::binary);
    std::vector<char> left(1 << 18);
    std::vector<char> right(left.size());
    while (first && second) {
        first.read(left.data(), std::streamsize(left.size()));
        second.read(right.data(), std::streamsize(right.size()));
        if (first.gcount() != second.gcount() ||
            !std::equal(left.begin(), left.begin() + first.gcount(), right.begin()))
            return false;
    }
    return first.eof() && second.eof();
}

/// Names of the plan and the records, sorted.
std::vector<std::string> contentOf(const fs::path& directory)
{
    std::vector<std::string> names;
    std::error_code code;
    for (fs::directory_iterator entry(directory, code), end; !code && entry != end;
         entry.increment(code)) {
        const std::string name = entry->path().filename().string();
        if (name == "run.json" || rankOfRecord(name) >= 0)
            names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace

bool isSameRun(const fs::path& a, const fs::path& b)
{
    const std::vector<std::string> names = contentOf(a);
    return names == contentOf(b) && std::all_of(names.begin(), names.end(), [&](const std::string& name) {
               return isSameFile(a / name, b / name);
           });
}

} // namespace triaxis
