#include "engine/formats/exports.h"
#include "engine/timeline/number_text.h"

#include <algorithm>
#include <ostream>

namespace triaxis
{
namespace
{

/// Names as programs like them: "send_activation".
std::string identifier(const char* text)
{
    std::string name = text;
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
}

/// data, tensor and pipeline coordinate; three empty fields for a rank outside the layout.
std::string coordinates(const Layout& layout, Rank rank)
{
    if (rank.value < 0 || rank.value >= layout.ranks())
        return ",,";
    const Coordinates at = coordinatesOf(layout, rank);
    return std::to_string(at.data) + "," + std::to_string(at.tensor) + "," +
           std::to_string(at.pipeline);
}

} // namespace

void writeSpanCsv(std::ostream& out, const RunPlan& plan, const RunRecords& records)
{
    out << "step,rank,dp,tp,pp,lane,kind,chunk,microbatch,part,ready,begin,end,bytes,flops,"
           "tensor_wait,tensor_transfer\n";
    std::string row;
    for (const Span& span : records.all.spans) {
        row = std::to_string(span.step) + "," + std::to_string(span.rank.value) + "," +
              coordinates(plan.layout, span.rank) + "," + identifier(toText(span.lane)) + "," +
              identifier(toText(span.id.kind())) + "," + std::to_string(span.id.chunk().value) +
              "," + std::to_string(span.id.microbatch().value) + "," +
              std::to_string(span.id.part()) + "," + exactText(span.ready) + "," +
              exactText(span.begin) + "," + exactText(span.end) + "," + std::to_string(span.bytes) +
              "," + std::to_string(span.flops) + "," + exactText(span.tensorWait) + "," +
              exactText(span.tensorTransfer) + "\n";
        out << row;
    }
}

} // namespace triaxis
