#pragma once

#include "engine/record/run_directory.h"

#include <functional>

namespace triaxis
{

/// A run in one file, `.triaxis-run`: a tar file compressed with zstd (archive_file.h). Its first
/// entry is bundle.json,
///
///     {"format": "triaxis-bundle", "version": 1, "run": ID,
///      "files": [{"name": …, "bytes": …, "crc32": …, "torn": bytes of damage in a record}]}
///
/// then those files in that order: run.json, state.json, rank-NNNN.records, and where there are
/// such, stderr.log, notes.json, marks.json, view.json and pruned.json. Weights and gradients stay
/// behind.

/// What an import takes at most. A run that goes beyond is not exported either.
namespace bundle
{
inline constexpr std::int64_t mostFiles = 20000;
inline constexpr std::int64_t mostManifestBytes = 4 << 20;
inline constexpr std::int64_t mostJsonBytes = 64 << 20; ///< run.json
inline constexpr std::int64_t mostNoteBytes = 1 << 20;  ///< the other JSON files
inline constexpr std::int64_t mostLogBytes = 64 << 20;  ///< of a longer log the end is kept
inline constexpr std::int64_t mostBytes = std::int64_t(1) << 40; ///< of all files
inline constexpr std::int64_t mostRatio =
    1000; ///< all files to the bundle, beyond the first 256 MiB
inline constexpr std::int64_t freeBytes = 256 << 20;
} // namespace bundle

/// Called now and then with bytes done and in all; false stops what goes on, with an Error.
using BundleProgress = std::function<bool(std::int64_t done, std::int64_t total)>;

/// Writes the bundle of a run that has ended. The file is there whole or not at all. Throws Error.
void exportBundle(const RunDirectory& run, const std::filesystem::path& file,
                  const BundleProgress& progress = {});

enum class ImportOutcome {
    Imported, ///< under its own id
    Renamed,  ///< another run has its id; it got a new one
    Known,    ///< the same run is here already; nothing was done
    Restored  ///< the same run was in the trash
};

struct ImportedRun
{
    std::string id;
    ImportOutcome outcome = ImportOutcome::Imported;
    std::string note; ///< one sentence for a person; empty where there is nothing to say
};

/// Unpacks a bundle where nobody sees it, checks everything, and then moves it among the runs of
/// `home`. Writes nowhere else. Throws Error; then everything is as it was.
ImportedRun importBundle(const std::filesystem::path& home, const std::filesystem::path& file,
                         const BundleProgress& progress = {});

} // namespace triaxis
