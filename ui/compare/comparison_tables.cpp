#include "ui/compare/comparison_tables.h"

#include "engine/compare/loss_comparison.h"
#include "engine/compare/metric_rows.h"
#include "engine/compare/setting_diff.h"
#include "ui/base/language.h"
#include "ui/base/small_text.h"
#include "ui/base/text.h"
#include "ui/base/words.h"

#include <QStringList>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

FigureTable::Cell cellOf(const ComparedRun& run, Metric metric, const MetricValue& value,
                         bool first)
{
    FigureTable::Cell cell;
    cell.text = spoken(metricText(metric, value.spread.middle));
    cell.tip = Words::tr("Over: %1").arg(spoken(rangeText(run, metric)));
    if (value.spread.values > 1)
        cell.tip += Words::tr("\nMiddle half: %1 to %2")
                        .arg(spoken(metricText(metric, value.spread.lower)),
                             spoken(metricText(metric, value.spread.upper)));
    const QString change = first ? QString() : spoken(changeText(metric, value));
    if (!change.isEmpty()) {
        cell.text += QStringLiteral("  (%1%2)")
                         .arg(change, value.withinSpread ? QStringLiteral(" ≈") : QString());
        cell.tip +=
            value.withinSpread
                ? Words::tr(
                      "\n≈: the middle halves overlap, the steps vary by more than the change")
                : QString();
    }
    return cell;
}

/// Runs of which the same is to be said.
struct LossGroup
{
    LossComparison worst; ///< of them
    std::vector<std::size_t> runs;
};

bool isSaidTogether(const LossComparison& a, const LossComparison& b)
{
    return a.otherTraining == b.otherTraining && a.steps == b.steps && a.agrees() == b.agrees() &&
           (a.agrees() || !a.otherTraining.empty() || a.steps == 0);
}

std::vector<LossGroup> lossGroups(const std::vector<ComparedRun>& runs)
{
    std::vector<LossGroup> groups;
    for (std::size_t i = 1; i < runs.size(); ++i) {
        LossComparison loss = compareLosses(runs[i], runs.front());
        const auto known = std::find_if(groups.begin(), groups.end(), [&](const LossGroup& group) {
            return isSaidTogether(group.worst, loss);
        });
        if (known == groups.end()) {
            groups.push_back({std::move(loss), {i}});
            continue;
        }
        known->runs.push_back(i);
        if (loss.worst > known->worst.worst)
            known->worst = std::move(loss);
    }
    return groups;
}

/// The name of one, the letters of several: "B–F, H".
QString namesOf(const std::vector<ComparedRun>& runs, const std::vector<std::size_t>& group)
{
    if (group.size() == 1)
        return toQString(letteredName(runs, group.front()));
    const auto letter = [&](std::size_t at) {
        return toQString(letteredName(runs, group[at])).section(QLatin1Char(' '), 0, 0);
    };
    QStringList names;
    for (std::size_t first = 0; first < group.size();) {
        std::size_t last = first;
        while (last + 1 < group.size() && group[last + 1] == group[last] + 1)
            ++last;
        names << (last > first + 1 ? letter(first) + QChar(0x2013) + letter(last) : letter(first));
        if (last == first + 1)
            names << letter(last);
        first = last + 1;
    }
    return names.join(QStringLiteral(", "));
}

QString lossSentence(const QString& name, const LossComparison& loss)
{
    if (!loss.otherTraining.empty())
        return Words::tr("%1: losses need not agree, the runs differ in: %2.")
            .arg(name, spoken(loss.otherTraining));
    if (loss.steps == 0)
        return Words::tr("%1: no step in common.").arg(name);
    return Words::tr("%1: the same training. Over %2 losses differ by at most %3 (step "
                     "%4; rounding explains %5): %6.")
        .arg(name)
        .arg(counted(loss.steps, QStringLiteral("step")))
        .arg(smallText(loss.worst))
        .arg(loss.worstStep)
        .arg(smallText(loss.bound))
        .arg(loss.agrees()
                 ? Words::tr("they agree")
                 : Words::tr("they do not agree, one of the layouts computes something else"));
}

} // namespace

FigureTable comparedFigures(const std::vector<ComparedRun>& runs)
{
    FigureTable table;
    for (std::size_t i = 0; i < runs.size(); ++i)
        table.columns.push_back({toQString(letteredName(runs, i)), toQString(runs[i].id)});
    for (const MetricRow& row : metricRows(runs)) {
        table.rows.push_back({spoken(toText(row.metric)), spoken(definitionOf(row.metric))});
        std::vector<FigureTable::Cell> cells;
        for (std::size_t i = 0; i < runs.size(); ++i)
            cells.push_back(cellOf(runs[i], row.metric, row.values[i], i == 0));
        table.cells.push_back(std::move(cells));
    }
    return table;
}

FigureTable comparedSettings(const std::vector<ComparedRun>& runs, bool onlyDifferences)
{
    FigureTable table;
    for (std::size_t i = 0; i < runs.size(); ++i)
        table.columns.push_back({toQString(letteredName(runs, i)), toQString(runs[i].id)});
    for (const SettingRow& row : settingRows(runs)) {
        if (onlyDifferences && !row.differs)
            continue;
        table.rows.push_back({spoken(row.path)});
        std::vector<FigureTable::Cell> cells;
        for (const std::string& value : row.values)
            cells.push_back({value.empty() ? QStringLiteral("–") : spoken(value), spoken(value),
                             Tone::Plain, row.differs && !onlyDifferences});
        table.cells.push_back(std::move(cells));
    }
    return table;
}

QString comparedLosses(const std::vector<ComparedRun>& runs)
{
    QStringList sentences;
    for (const LossGroup& group : lossGroups(runs))
        sentences << lossSentence(namesOf(runs, group.runs), group.worst);
    return sentences.join(QLatin1Char('\n'));
}

} // namespace triaxis::ui
