#include "engine/formats/exports.h"

#include <algorithm>
#include <cmath>
#include <istream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>

namespace triaxis
{
namespace
{

using nlohmann::json;

constexpr double latestRelative = 1e14; // µs, three years: later times count from an epoch
constexpr int mostOfAKind = 5;

using Row = std::pair<std::int64_t, std::int64_t>; // pid, tid

std::string nameOf(const Row& row)
{
    return "pid " + std::to_string(row.first) + ", tid " + std::to_string(row.second);
}

/// Findings, with the surplus of each kind counted instead of listed.
class Findings
{
public:
    void add(const std::string& kind, const std::string& detail)
    {
        if (++m_count[kind] <= mostOfAKind)
            m_list.push_back(kind + ": " + detail);
    }

    std::vector<std::string> take()
    {
        for (const auto& [kind, count] : m_count) {
            if (count > mostOfAKind)
                m_list.push_back(kind + ": " + std::to_string(count - mostOfAKind) + " more");
        }
        return std::move(m_list);
    }

private:
    std::vector<std::string> m_list;
    std::map<std::string, int> m_count;
};

struct Slice
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t latestEnd = 0; ///< of this and all that begin earlier on the row
};

struct FlowEnd
{
    Row row;
    std::int64_t at = 0;
    int count = 0;
};

/// Events are checked one by one as the parser meets them; what concerns several of them, at the
/// end.
class Checker
{
public:
    void event(const json& event)
    {
        ++m_events;
        if (!event.is_object() || !event.contains("ph") || !event["ph"].is_string()) {
            m_findings.add("event without a phase",
                           event.dump(-1, ' ', false, replace).substr(0, 80));
            return;
        }
        const std::string phase = event["ph"];
        const auto row = rowOf(event);
        if (!row)
            return;
        if (phase == "M") {
            metadata(event, *row);
            return;
        }
        const auto at = timeOf(event, "ts");
        if (!at)
            return;
        m_processes.insert(row->first);
        if (phase == "X")
            slice(event, *row, *at);
        else if (phase == "s" || phase == "f")
            flow(event, phase, *row, *at);
    }

    std::vector<std::string> finish(const json& top)
    {
        for (const char* key : {"schemaVersion", "displayTimeUnit", "distributedInfo"}) {
            if (!top.contains(key))
                m_findings.add("top level lacks", key);
        }
        if (!top.contains("traceEvents") || !top["traceEvents"].is_array())
            m_findings.add("top level lacks", "an array \"traceEvents\"");
        else if (m_events == 0)
            m_findings.add("no events", "the trace is empty");
        checkNesting();
        checkFlows();
        checkNames();
        return m_findings.take();
    }

    Findings& findings() { return m_findings; }

private:
    static constexpr auto replace = json::error_handler_t::replace;

    static std::string describe(const json& event)
    {
        const std::string name = event.value("name", json()).is_string() ? event["name"] : "";
        return "\"" + name + "\"";
    }

    std::optional<Row> rowOf(const json& event)
    {
        Row row;
        for (const auto& [key, number] :
             {std::pair("pid", &row.first), std::pair("tid", &row.second)}) {
            if (!event.contains(key) || !event[key].is_number_integer() ||
                event[key].get<double>() < 0 || event[key].get<double>() >= 4294967296.0) {
                m_findings.add("id is no integer from 0 to 2³²−1",
                               std::string(key) + " of " + describe(event));
                return std::nullopt;
            }
            *number = event[key].get<std::int64_t>();
        }
        return row;
    }

    /// Nanoseconds.
    std::optional<std::int64_t> timeOf(const json& event, const char* key)
    {
        if (!event.contains(key) || !event[key].is_number()) {
            m_findings.add("time is no number", std::string(key) + " of " + describe(event));
            return std::nullopt;
        }
        const double microseconds = event[key].get<double>();
        if (!(microseconds >= 0) || microseconds > latestRelative) {
            m_findings.add("time is not relative to the start of the run",
                           std::string(key) + " of " + describe(event));
            return std::nullopt;
        }
        return std::llround(microseconds * 1000);
    }

    void metadata(const json& event, const Row& row)
    {
        const std::string name = event.value("name", json()).is_string() ? event["name"] : "";
        const json args = event.value("args", json::object());
        const bool isName = name == "process_name" || name == "thread_name";
        const bool isIndex = name == "process_sort_index" || name == "thread_sort_index";
        if (isName && !(args.contains("name") && args["name"].is_string()))
            m_findings.add("metadata without a name", nameOf(row));
        if (isIndex && !(args.contains("sort_index") && args["sort_index"].is_number_integer()))
            m_findings.add("sort index is no integer", nameOf(row));
        if (name == "process_name")
            m_namedProcesses.insert(row.first);
        if (name == "process_sort_index")
            m_sortedProcesses.insert(row.first);
        if (name == "thread_name")
            m_namedRows.insert(row);
    }

    void slice(const json& event, const Row& row, std::int64_t begin)
    {
        const auto duration = timeOf(event, "dur");
        if (duration)
            m_slices[row].push_back({begin, begin + *duration, 0});
    }

    void flow(const json& event, const std::string& phase, const Row& row, std::int64_t at)
    {
        if (!event.contains("id") || !event.contains("name") || !event.contains("cat")) {
            m_findings.add("flow lacks id, name or category", nameOf(row));
            return;
        }
        if (phase == "f" && event.value("bp", json()) != "e")
            m_findings.add("flow end lacks \"bp\":\"e\"", describe(event) + ", " + nameOf(row));
        const std::string key = event["id"].dump() + event["cat"].dump() + event["name"].dump();
        FlowEnd& end = (phase == "s" ? m_flowBegins : m_flowEnds)[key];
        end = {row, at, end.count + 1};
    }

    void checkNesting()
    {
        for (auto& [row, slices] : m_slices) {
            std::sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) {
                return std::pair(a.begin, -a.end) < std::pair(b.begin, -b.end);
            });
            std::vector<std::int64_t> open;
            std::int64_t latest = 0;
            for (Slice& slice : slices) {
                slice.latestEnd = latest = std::max(latest, slice.end);
                while (!open.empty() && open.back() <= slice.begin)
                    open.pop_back();
                if (!open.empty() && open.back() < slice.end)
                    m_findings.add("events overlap without nesting",
                                   nameOf(row) + " at " + std::to_string(slice.begin) + " ns");
                open.push_back(slice.end);
            }
        }
    }

    /// Strictly: a slice that begins earlier and ends later. Rows are sorted by checkNesting().
    bool isInsideASlice(const FlowEnd& end) const
    {
        const auto found = m_slices.find(end.row);
        if (found == m_slices.end())
            return false;
        const auto& slices = found->second;
        const auto after =
            std::lower_bound(slices.begin(), slices.end(), end.at,
                             [](const Slice& s, std::int64_t at) { return s.begin < at; });
        return after != slices.begin() && (after - 1)->latestEnd > end.at;
    }

    void checkFlows()
    {
        for (const auto& [key, begin] : m_flowBegins) {
            const auto found = m_flowEnds.find(key);
            if (found == m_flowEnds.end()) {
                m_findings.add("flow begins but does not end", key);
                continue;
            }
            const FlowEnd& end = found->second;
            if (begin.count != 1 || end.count != 1)
                m_findings.add("flow id is used twice", key);
            if (end.at < begin.at)
                m_findings.add("flow ends before it begins", key);
            for (const FlowEnd* one : {&begin, &end}) {
                if (!isInsideASlice(*one))
                    m_findings.add("flow lies outside of any event", key + ", " + nameOf(one->row));
            }
        }
        for (const auto& [key, end] : m_flowEnds) {
            if (!m_flowBegins.count(key))
                m_findings.add("flow ends but does not begin", key);
        }
    }

    void checkNames()
    {
        for (const std::int64_t process : m_processes) {
            if (!m_namedProcesses.count(process))
                m_findings.add("process without a name", "pid " + std::to_string(process));
            if (!m_sortedProcesses.count(process))
                m_findings.add("process without a sort index", "pid " + std::to_string(process));
        }
        for (const auto& [row, slices] : m_slices) {
            if (!m_namedRows.count(row))
                m_findings.add("thread without a name", nameOf(row));
        }
    }

    Findings m_findings;
    std::int64_t m_events = 0;
    std::map<Row, std::vector<Slice>> m_slices;
    std::map<std::string, FlowEnd> m_flowBegins, m_flowEnds;
    std::set<std::int64_t> m_processes, m_namedProcesses, m_sortedProcesses;
    std::set<Row> m_namedRows;
};

} // namespace

std::vector<std::string> checkChromeTrace(std::istream& in)
{
    Checker checker;
    bool inEvents = false;
    const auto meet = [&](int depth, json::parse_event_t event, json& parsed) {
        if (event == json::parse_event_t::key && depth == 1)
            inEvents = parsed == "traceEvents";
        if (!inEvents || depth != 2)
            return true;
        if (event == json::parse_event_t::object_end || event == json::parse_event_t::array_end ||
            event == json::parse_event_t::value) {
            checker.event(parsed);
            return false; // checked: need not be kept
        }
        return true;
    };
    try {
        const json top = json::parse(in, meet);
        if (!top.is_object()) {
            checker.findings().add("top level is no object", std::string("but ") + top.type_name());
            return checker.findings().take();
        }
        return checker.finish(top);
    } catch (const json::exception& error) {
        checker.findings().add("no JSON", error.what());
        return checker.findings().take();
    }
}

} // namespace triaxis
