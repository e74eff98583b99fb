#include "engine/formats/measured_table.h"

#include "engine/core/csv_table.h"
#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/formats/measured_readers.h"

#include <algorithm>
#include <utility>

namespace triaxis
{
namespace
{

std::vector<MeasuredFormat> allFormats()
{
    std::vector<MeasuredFormat> all;
    for (auto* family : {vtrainFormats, megatronFormats, megatronNamedFormats, korthikantiFormats,
                         bloomFormats, zeroBubbleFormats, llamaFormats, vocabularyFormats,
                         frameworkFormats, nvidiaFormats, torchtitanFormats, internEvoFormats,
                         maxTextFormats, simuMaxFormats, primusFormats, deepSeekFormats}) {
        for (MeasuredFormat& format : family())
            all.push_back(std::move(format));
    }
    return all;
}

bool fits(const MeasuredFormat& format, const CsvTable& table)
{
    return std::all_of(format.columns.begin(), format.columns.end(),
                       [&](const char* column) { return table.column(column).has_value(); });
}

/// The format that asks for most columns, one that the file name hints at before others.
const MeasuredFormat& recognised(const std::vector<MeasuredFormat>& formats, const CsvTable& table,
                                 const std::string& name)
{
    const MeasuredFormat* best = nullptr;
    std::pair<bool, std::size_t> bestScore;
    for (const MeasuredFormat& format : formats) {
        const bool hinted = *format.fileHint && name.find(format.fileHint) != std::string::npos;
        const std::pair<bool, std::size_t> score{hinted, format.columns.size()};
        if (fits(format, table) && (!best || score > bestScore)) {
            best = &format;
            bestScore = score;
        }
    }
    if (best)
        return *best;
    std::string columns;
    for (std::size_t i = 0; i < std::min<std::size_t>(8, table.header.size()); ++i)
        columns += (i ? ", " : "") + table.header[i].substr(0, 40);
    throw Error("cannot read the table of measured runs",
                name + ": no known format has its columns (" + columns + ", …)",
                "give a table with the columns of one of the published training tables");
}

/// Text of the first cells, for rows that a reader could not even name.
std::string rowLabel(const CsvTable::Row& row)
{
    std::string label;
    for (std::size_t i = 0; i < std::min<std::size_t>(4, row.cells.size()); ++i)
        label += (i ? ", " : "") + row.cells[i].substr(0, 40);
    return label;
}

void readRow(MeasuredTable& measured, const MeasuredFormat& format, const CsvTable& table,
             const CsvTable::Row& row, const std::vector<SoftwareProfile>& profiles)
{
    if (row.cells.size() != table.header.size()) {
        measured.unpriced.push_back({row.line, rowLabel(row),
                                     std::to_string(row.cells.size()) +
                                         " cells under a header of " +
                                         std::to_string(table.header.size())});
        return;
    }
    try {
        std::vector<MeasuredCase> cases = format.read(MeasuredRow(table, row, profiles));
        std::erase_if(cases, [](const MeasuredCase& run) { return run.targets.empty(); });
        if (cases.empty())
            throw RowProblem("the row states no result");
        for (MeasuredCase& run : cases)
            measured.cases.push_back(std::move(run));
    } catch (const NotModelled& problem) {
        measured.unpriced.push_back({row.line, rowLabel(row), problem.what(), true});
    } catch (const RowProblem& problem) {
        measured.unpriced.push_back({row.line, rowLabel(row), problem.what()});
    } catch (const Error& error) {
        measured.unpriced.push_back({row.line, rowLabel(row), error.what(), true});
    }
}

} // namespace

const char* toText(Quantity quantity)
{
    switch (quantity) {
    case Quantity::StepSeconds:
        return "step";
    case Quantity::DeviceFlops:
        return "rate of a device";
    case Quantity::Mfu:
        return "MFU";
    case Quantity::TokensPerSecond:
        return "tokens/s";
    case Quantity::TokensPerDeviceSecond:
        return "tokens/s of a device";
    case Quantity::SamplesPerDeviceSecond:
        return "sequences/s of a device";
    case Quantity::LayerForward:
        return "layer forward";
    case Quantity::LayerBackward:
        return "layer backward";
    case Quantity::Memory:
        return "memory";
    case Quantity::StateMemory:
        return "weights and optimizer";
    case Quantity::ActivationMemory:
        return "activations";
    case Quantity::ActivationShare:
        return "activations over the plain ones";
    case Quantity::OutOfMemory:
        return "out of memory";
    case Quantity::BubbleRate:
        return "bubble";
    }
    return "";
}

bool isSpeed(Quantity quantity)
{
    switch (quantity) {
    case Quantity::StepSeconds:
    case Quantity::DeviceFlops:
    case Quantity::Mfu:
    case Quantity::TokensPerSecond:
    case Quantity::TokensPerDeviceSecond:
    case Quantity::SamplesPerDeviceSecond:
        return true;
    case Quantity::LayerForward:
    case Quantity::LayerBackward:
    case Quantity::Memory:
    case Quantity::StateMemory:
    case Quantity::ActivationMemory:
    case Quantity::ActivationShare:
    case Quantity::OutOfMemory:
    case Quantity::BubbleRate:
        return false;
    }
    return false;
}

std::string problemKey(const MeasuredCase& run)
{
    const ModelShape& model = run.job.model;
    std::string key = model.name;
    for (const std::int64_t size :
         {std::int64_t(model.layers), std::int64_t(model.hidden), std::int64_t(model.heads),
          std::int64_t(model.feedForward), std::int64_t(run.job.devices), run.job.globalBatch,
          std::int64_t(run.job.sequence), std::int64_t(model.expert.experts)})
        key += "/" + std::to_string(size);
    return key + "/" + toText(run.job.precision) + "/" + run.job.cluster.name + "/" +
           run.job.software.name + "/" + std::to_string(run.job.trainedShare);
}

MeasuredTable parseMeasuredTable(std::string_view text, const std::string& name,
                                 const std::vector<SoftwareProfile>& profiles)
{
    const CsvTable table = parseCsvTable(text, name);
    const std::vector<MeasuredFormat> formats = allFormats();
    const MeasuredFormat& format = recognised(formats, table, name);
    MeasuredTable measured;
    measured.name = name;
    measured.format = format.name;
    measured.rows = int(table.rows.size());
    measured.remarks.assign(format.remarks.begin(), format.remarks.end());
    for (const CsvTable::Row& row : table.rows)
        readRow(measured, format, table, row, profiles);
    return measured;
}

MeasuredTable readMeasuredTable(const std::filesystem::path& path,
                                const std::vector<SoftwareProfile>& profiles)
{
    const std::string text = readFile(path, 64 << 20, "cannot read the table of measured runs");
    return parseMeasuredTable(text, path.stem().string(), profiles);
}

} // namespace triaxis
