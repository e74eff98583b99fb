#include "engine/formats/report_parcel.h"

#include "engine/core/error.h"

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

namespace triaxis
{
namespace
{

using nlohmann::json;

constexpr int parcelVersion = 1;

json pack(const DisplayItem& item)
{
    struct Pack
    {
        json operator()(const FillRect& r) const
        {
            return {r.x, r.y, r.width, r.height, int(r.ink), r.radius, r.hatched, r.opacity};
        }
        json operator()(const StrokeLine& l) const
        {
            return {l.x1, l.y1, l.x2, l.y2, int(l.ink), l.thickness, l.dashed};
        }
        json operator()(const DrawText& t) const
        {
            return {t.x,          t.y,    t.text,     int(t.ink), t.size,
                    int(t.align), t.bold, t.contrast, t.opacity};
        }
        json operator()(const Polyline& p) const
        {
            json points = json::array();
            for (const auto& [x, y] : p.points) {
                points.push_back(x);
                points.push_back(y);
            }
            return {std::move(points), int(p.ink), p.thickness, p.dashed};
        }
    };
    json packed = std::visit(Pack{}, item);
    packed.insert(packed.begin(), int(item.index()));
    return packed;
}

Ink inkFrom(const json& number)
{
    const int ink = number.get<int>();
    if (ink < 0 || ink >= inkCount)
        throw Error("cannot read the report", "a colour that is none", "write it again");
    return Ink(ink);
}

DisplayItem unpackItem(const json& p)
{
    switch (p.at(0).get<int>()) {
    case 0:
        return FillRect{p.at(1),          p.at(2), p.at(3), p.at(4),
                        inkFrom(p.at(5)), p.at(6), p.at(7), p.at(8)};
    case 1:
        return StrokeLine{p.at(1), p.at(2), p.at(3), p.at(4), inkFrom(p.at(5)), p.at(6), p.at(7)};
    case 2:
        return DrawText{p.at(1),          p.at(2), p.at(3),
                        inkFrom(p.at(4)), p.at(5), Align(p.at(6).get<int>() % 3),
                        p.at(7),          p.at(8), p.at(9)};
    default:
        break;
    }
    Polyline line{{}, inkFrom(p.at(2)), p.at(3), p.at(4)};
    const json& points = p.at(1);
    for (std::size_t i = 0; i + 1 < points.size(); i += 2)
        line.points.emplace_back(points[i].get<double>(), points[i + 1].get<double>());
    return line;
}

json pack(const DisplayList& list)
{
    json items = json::array();
    for (const DisplayItem& item : list.items)
        items.push_back(pack(item));
    return {{"width", list.width}, {"height", list.height}, {"items", std::move(items)}};
}

DisplayList unpackList(const json& packed)
{
    DisplayList list;
    list.width = packed.at("width");
    list.height = packed.at("height");
    for (const json& item : packed.at("items"))
        list.items.push_back(unpackItem(item));
    return list;
}

class BlockPacker
{
public:
    explicit BlockPacker(const std::vector<double>& widths) : m_widths(widths) {}

    json operator()(const ReportParagraph& one) const
    {
        return {{"text", one.text}, {"note", one.tone == ReportTone::Note}};
    }
    json operator()(const ReportFigures& one) const
    {
        json figures = json::array();
        for (const ReportFigure& figure : one.figures)
            figures.push_back({figure.name, figure.value, figure.meaning});
        return {{"figures", std::move(figures)}};
    }
    json operator()(const ReportPicture& one) const
    {
        json drawn = json::array();
        for (const double width : m_widths)
            drawn.push_back({{"asked", width}, {"list", pack(one.draw(width))}});
        return {{"id", one.id},
                {"title", one.title},
                {"head", one.headHeight},
                {"wide", one.wide},
                {"drawn", std::move(drawn)}};
    }
    json operator()(const ReportTable& one) const
    {
        json columns = json::array();
        for (const ReportColumn& column : one.columns)
            columns.push_back({column.id, column.name, column.unit, column.number});
        json rows = json::array();
        // What is for files only is not for paper.
        for (const auto& row : one.fileOnly ? decltype(one.rows){} : one.rows) {
            json cells = json::array();
            for (const ReportCell& cell : row)
                cells.push_back({cell.text, cell.value, cell.note, cell.strong});
            rows.push_back(std::move(cells));
        }
        return {{"id", one.id},
                {"title", one.title},
                {"columns", std::move(columns)},
                {"rows", std::move(rows)},
                {"fileOnly", one.fileOnly},
                {"folded", one.folded}};
    }
    json operator()(const ReportTerms& one) const { return {{"terms", one.terms}}; }
    json operator()(const ReportGroups& one) const
    {
        json groups = json::array();
        for (const ReportGroup& group : one.groups)
            groups.push_back({{"title", group.title}, {"rows", group.rows}});
        return {{"groups", std::move(groups)}};
    }
    json operator()(const ReportLines& one) const
    {
        return {{"text", one.text}, {"title", one.title}};
    }

private:
    const std::vector<double>& m_widths;
};

ReportPicture unpackPicture(const json& p)
{
    auto drawn = std::make_shared<std::vector<std::pair<double, DisplayList>>>();
    for (const json& one : p.at("drawn"))
        drawn->emplace_back(one.at("asked").get<double>(), unpackList(one.at("list")));
    if (drawn->empty())
        throw Error("cannot read the report", "a picture that is not there", "write it again");
    return {p.at("id"), p.at("title"),
            [drawn](double width) {
                const auto* nearest = &drawn->front();
                for (const auto& one : *drawn)
                    if (std::abs(one.first - width) < std::abs(nearest->first - width))
                        nearest = &one;
                return nearest->second;
            },
            p.at("head"), p.at("wide")};
}

ReportTable unpackTable(const json& p)
{
    ReportTable table{p.at("id"), p.at("title")};
    table.fileOnly = p.at("fileOnly");
    table.folded = p.at("folded");
    for (const json& column : p.at("columns"))
        table.columns.push_back({column.at(0), column.at(1), column.at(2), column.at(3)});
    for (const json& row : p.at("rows")) {
        std::vector<ReportCell> cells;
        for (const json& cell : row)
            cells.push_back({cell.at(0), cell.at(1), cell.at(2), cell.at(3)});
        table.rows.push_back(std::move(cells));
    }
    return table;
}

ReportBlock unpackBlock(std::size_t kind, const json& p)
{
    using Pairs = std::vector<std::pair<std::string, std::string>>;
    switch (kind) {
    case 0:
        return ReportParagraph{p.at("text"),
                               p.at("note").get<bool>() ? ReportTone::Note : ReportTone::Body};
    case 1: {
        ReportFigures figures;
        for (const json& one : p.at("figures"))
            figures.figures.push_back({one.at(0), one.at(1), one.at(2)});
        return figures;
    }
    case 2:
        return unpackPicture(p);
    case 3:
        return unpackTable(p);
    case 4:
        return ReportTerms{p.at("terms").get<Pairs>()};
    case 5: {
        ReportGroups groups;
        for (const json& one : p.at("groups"))
            groups.groups.push_back({one.at("title"), one.at("rows").get<Pairs>()});
        return groups;
    }
    default:
        return ReportLines{p.at("text"), p.at("title")};
    }
}

/// Texts of records may be no UTF-8: as such they would not travel.
std::string dumped(const json& document)
{
    const std::vector<std::uint8_t> bytes = json::to_cbor(document);
    return {bytes.begin(), bytes.end()};
}

ReportDocument unpackDocument(const json& packed)
{
    ReportDocument report;
    report.title = packed.at("title");
    report.subtitle = packed.at("subtitle").get<std::vector<std::string>>();
    report.language = packed.at("language");
    report.dateUtc = packed.at("date");
    report.pageWords = packed.at("pageWords");
    for (const json& one : packed.at("sections")) {
        ReportSection section{one.at("title"), one.at("remark")};
        section.width = one.at("half").get<bool>() ? ReportWidth::Half : ReportWidth::Whole;
        section.alarm = one.at("alarm");
        section.screenOnly = one.at("screenOnly");
        for (const json& block : one.at("blocks"))
            section.blocks.push_back(unpackBlock(block.at(0).get<std::size_t>(), block.at(1)));
        report.sections.push_back(std::move(section));
    }
    return report;
}

} // namespace

std::string packReport(const ReportDocument& report, const std::vector<double>& widths)
{
    json sections = json::array();
    for (const ReportSection& section : report.sections) {
        json blocks = json::array();
        for (const ReportBlock& block : section.blocks)
            blocks.push_back(json::array({block.index(), std::visit(BlockPacker(widths), block)}));
        sections.push_back({{"title", section.title},
                            {"remark", section.remark},
                            {"half", section.width == ReportWidth::Half},
                            {"alarm", section.alarm},
                            {"screenOnly", section.screenOnly},
                            {"blocks", std::move(blocks)}});
    }
    return dumped({{"parcel", parcelVersion},
                   {"title", report.title},
                   {"subtitle", report.subtitle},
                   {"language", report.language},
                   {"date", report.dateUtc},
                   {"pageWords", report.pageWords},
                   {"sections", std::move(sections)}});
}

ReportDocument unpackReport(std::string_view parcel)
{
    try {
        const json packed = json::from_cbor(parcel.begin(), parcel.end());
        if (packed.at("parcel") != parcelVersion)
            throw Error("cannot read the report", "it is of another version",
                        "build all programs again");
        return unpackDocument(packed);
    } catch (const json::exception& error) {
        throw Error("cannot read the report", error.what(), "write it again");
    }
}

} // namespace triaxis
