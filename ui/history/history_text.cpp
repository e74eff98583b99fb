#include "ui/history/history_text.h"

#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/models/history_model.h"

#include <QDateTime>

namespace triaxis::ui
{

QString runsText(std::int64_t count)
{
    return counted(count, QStringLiteral("run"));
}

QString totalsText(const RunTotals& totals)
{
    return HistoryModel::tr("%1 · %2").arg(runsText(totals.runs),
                                           spoken(units::bytes(totals.bytes)));
}

QString momentText(const std::string& utc)
{
    const QDateTime when = QDateTime::fromString(toQString(utc), Qt::ISODate).toLocalTime();
    if (!when.isValid())
        return toQString(utc);
    const QDate today = QDate::currentDate();
    const QString time = when.toString(QStringLiteral("HH:mm"));
    if (when.date() == today)
        return HistoryModel::tr("today %1").arg(time);
    if (when.date() == today.addDays(-1))
        return HistoryModel::tr("yesterday %1").arg(time);
    return when.toString(QStringLiteral("yyyy-MM-dd ")) + time;
}

QString kindText(RunKind kind)
{
    switch (kind) {
    case RunKind::Measured:
        return HistoryModel::tr("measured");
    case RunKind::Paced:
        return HistoryModel::tr("paced");
    case RunKind::Imported:
        return HistoryModel::tr("imported");
    }
    return {};
}

QString kindHint(RunKind kind)
{
    switch (kind) {
    case RunKind::Measured:
        return HistoryModel::tr("Measured by this machine, as fast as it goes");
    case RunKind::Paced:
        return HistoryModel::tr("Real work in the time slots of another device and link");
    case RunKind::Imported:
        return HistoryModel::tr("Imported from a bundle");
    }
    return {};
}

QString nameOf(const RunSummary& run)
{
    return run.label.empty() ? toQString(run.id) : toQString(run.label);
}

} // namespace triaxis::ui
