#pragma once

#include "engine/record/records.h"

#include <QTemporaryDir>
#include <fstream>
#include <iterator>
#include <vector>

namespace triaxis::test
{

inline std::filesystem::path pathIn(const QTemporaryDir& folder, const char* name)
{
    return std::filesystem::path(folder.path().toStdString()) / name;
}

inline std::vector<std::uint8_t> contentOf(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline void writeContent(const std::filesystem::path& file,
                         const std::vector<std::uint8_t>& content)
{
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(content.data()), std::streamsize(content.size()));
}

inline Span spanOf(int step, int rank, Kind kind, int microbatch, double ready, double end)
{
    Span span;
    span.step = step;
    span.rank = Rank(rank);
    span.id = InstructionId(kind, Chunk(0), Microbatch(microbatch));
    span.ready = ready;
    span.begin = ready;
    span.end = end;
    return span;
}

/// A small whole record: hello, then `steps` steps of three spans, a memory sample and a result,
/// then the end.
inline void writeRecord(const std::filesystem::path& file, int rank, int steps)
{
    RecordWriter writer(file);
    HelloRecord hello;
    hello.rank = Rank(rank);
    hello.host = "host";
    hello.pid = 7;
    writer.hello(hello);
    for (int step = 1; step <= steps; ++step) {
        for (int i = 0; i < 3; ++i)
            writer.span(
                spanOf(step, rank, Kind::Forward, i, step + 0.1 * i, step + 0.1 * i + 0.05));
        MemorySample sample;
        sample.step = step;
        sample.rank = Rank(rank);
        sample.time = step + 0.5;
        sample.peakTotal = 1000 + step;
        writer.memory(sample);
        StepResult result;
        result.step = step;
        result.loss = 1.0 / step;
        result.seconds = 0.9;
        result.begin = step;
        result.tokens = 64;
        writer.step(result);
        writer.endStep();
    }
    writer.end(steps + 1.0);
}

} // namespace triaxis::test
