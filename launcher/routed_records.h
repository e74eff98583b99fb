#pragma once

#include "engine/record/record_route.h"
#include "engine/record/run_directory.h"
#include "launcher/output_log.h"

namespace triaxis
{

/// Takes the tagged output of mpirun apart: the records and states of ranks that do not reach the
/// run directory go into their files there, so that every reader sees them as those of the others;
/// words go to the log.
class RoutedRecords
{
public:
    RoutedRecords(const RunDirectory& run, int ranks, OutputLog& log);
    ~RoutedRecords();
    RoutedRecords(const RoutedRecords&) = delete;
    RoutedRecords& operator=(const RoutedRecords&) = delete;

    /// Reads both descriptors, which do not block, until they have no more. Throws Error if a file
    /// cannot be written.
    void drain(int route, int words);
    std::int64_t damaged() const { return m_reader.damaged(); }

private:
    void write(const RoutedPiece& piece);

    const RunDirectory& m_run;
    int m_ranks;
    OutputLog& m_log;
    TaggedOutput m_routeTags;
    TaggedOutput m_wordTags;
    RouteReader m_reader;
};

} // namespace triaxis
