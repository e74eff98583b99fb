#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace triaxis
{

struct BundleFile
{
    std::string name;
    std::int64_t bytes = 0;
    std::uint32_t crc32 = 0;
    std::int64_t torn = 0; ///< records: bytes that belong to no sound frame
};

/// bundle.json.
struct BundleManifest
{
    std::string run;
    std::vector<BundleFile> files;
    std::int64_t bytes() const; ///< of all files
};

inline constexpr const char* manifestName = "bundle.json";

std::string textOf(const BundleManifest& manifest);
/// Checks forms, names, sizes and the limits of bundle.h, `compressed` being the size of the
/// bundle. Throws Error with `tried` and `source`.
BundleManifest manifestFromText(const std::string& text, std::int64_t compressed,
                                const std::string& tried, const std::string& source);
/// The same checks on a manifest that is to be written.
void checkManifest(const BundleManifest& manifest, const std::string& tried,
                   const std::string& source);

/// The rank of "rank-0007.records"; −1 for any other name.
int rankOfRecord(const std::string& name);

/// Bytes of damage in a record file.
std::int64_t tornBytes(const std::filesystem::path& record);

} // namespace triaxis
