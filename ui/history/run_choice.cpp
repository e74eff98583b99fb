#include "ui/history/run_choice.h"

#include "engine/schedule/generators.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/history/history_text.h"
#include "ui/models/history_model.h"
#include "ui/run/run_figures.h"

#include <QDateTime>
#include <QStringList>
#include <QTime>

namespace triaxis::ui
{
namespace
{

/// The first moment of a local day, as the history keeps moments; empty for no day.
std::string beginOf(const QDate& day)
{
    if (!day.isValid())
        return {};
    return day.startOfDay().toUTC().toString(QStringLiteral("yyyy-MM-ddTHH:mm:ssZ")).toStdString();
}

std::string endOf(const QDate& day)
{
    if (!day.isValid())
        return {};
    const QDateTime last = day.addDays(1).startOfDay().addSecs(-1);
    return last.toUTC().toString(QStringLiteral("yyyy-MM-ddTHH:mm:ssZ")).toStdString();
}

QDate firstDay(const RunChoice& choice, const QDate& today)
{
    switch (choice.started) {
    case RunChoice::Started::Any:
        return {};
    case RunChoice::Started::Today:
        return today;
    case RunChoice::Started::Week:
        return today.addDays(-6);
    case RunChoice::Started::Month:
        return today.addDays(-29);
    case RunChoice::Started::Year:
        return QDate(today.year(), 1, 1);
    case RunChoice::Started::Between:
        return choice.from;
    }
    return {};
}

QString betweenText(const RunChoice& choice)
{
    const QString from = choice.from.toString(Qt::ISODate);
    const QString to = choice.to.toString(Qt::ISODate);
    if (choice.from.isValid() && choice.to.isValid())
        return from == to ? from : HistoryModel::tr("%1 to %2").arg(from, to);
    return choice.from.isValid() ? HistoryModel::tr("since %1").arg(from)
                                 : HistoryModel::tr("until %1").arg(to);
}

/// Collects chips; each is the choice with one thing changed.
class Chips
{
public:
    explicit Chips(const RunChoice& choice) : m_choice(choice) {}

    template <class Change>
    void add(const QString& text, Change change)
    {
        RunChoice without = m_choice;
        change(without);
        chips.push_back({text, std::move(without)});
    }
    template <class T, class Text>
    void addAll(std::vector<T> RunChoice::*list, Text text)
    {
        for (const T& value : m_choice.*list)
            add(text(value), [&](RunChoice& without) { std::erase(without.*list, value); });
    }

    std::vector<ChoiceChip> chips;

private:
    const RunChoice& m_choice;
};

QStringList toList(const std::vector<std::string>& texts)
{
    QStringList list;
    for (const std::string& text : texts)
        list << toQString(text);
    return list;
}

std::vector<std::string> fromList(const QVariant& list)
{
    std::vector<std::string> texts;
    for (const QString& text : list.toStringList())
        texts.push_back(text.toStdString());
    return texts;
}

std::optional<int> sizeFrom(const QVariant& value)
{
    const int size = value.toInt();
    return size > 0 ? std::optional<int>(size) : std::nullopt;
}

} // namespace

RunQuery queryOf(const RunChoice& choice, const QDate& today)
{
    RunQuery query;
    query.text = choice.text.trimmed().toStdString();
    query.states = choice.states;
    query.kinds = choice.kinds;
    query.models = choice.models;
    query.layouts = choice.layouts;
    query.schedules = choice.schedules;
    query.tags = choice.tags;
    query.dp = choice.dp;
    query.tp = choice.tp;
    query.pp = choice.pp;
    query.starred = choice.starred;
    query.since = beginOf(firstDay(choice, today));
    if (choice.started == RunChoice::Started::Between)
        query.until = endOf(choice.to);
    return query;
}

QString startedText(RunChoice::Started started)
{
    switch (started) {
    case RunChoice::Started::Any:
        return HistoryModel::tr("At any time");
    case RunChoice::Started::Today:
        return HistoryModel::tr("Today");
    case RunChoice::Started::Week:
        return HistoryModel::tr("In the last 7 days");
    case RunChoice::Started::Month:
        return HistoryModel::tr("In the last 30 days");
    case RunChoice::Started::Year:
        return HistoryModel::tr("This year");
    case RunChoice::Started::Between:
        return HistoryModel::tr("Between two days…");
    }
    return {};
}

std::vector<ChoiceChip> chipsOf(const RunChoice& choice)
{
    Chips chips(choice);
    const auto plain = [](const std::string& text) { return toQString(text); };
    if (choice.starred)
        chips.add(HistoryModel::tr("★ starred"), [](RunChoice& c) { c.starred = false; });
    chips.addAll(&RunChoice::states, stateText);
    chips.addAll(&RunChoice::kinds, kindText);
    chips.addAll(&RunChoice::models, plain);
    chips.addAll(&RunChoice::layouts, plain);
    if (choice.dp)
        chips.add(HistoryModel::tr("data %1").arg(*choice.dp), [](RunChoice& c) { c.dp.reset(); });
    if (choice.tp)
        chips.add(HistoryModel::tr("tensor %1").arg(*choice.tp),
                  [](RunChoice& c) { c.tp.reset(); });
    if (choice.pp)
        chips.add(HistoryModel::tr("pipeline %1").arg(*choice.pp),
                  [](RunChoice& c) { c.pp.reset(); });
    chips.addAll(&RunChoice::schedules,
                 [](const std::string& name) { return spoken(scheduleTitle(name)); });
    chips.addAll(&RunChoice::tags,
                 [](const std::string& tag) { return QLatin1Char('#') + toQString(tag); });
    if (choice.started != RunChoice::Started::Any)
        chips.add(choice.started == RunChoice::Started::Between ? betweenText(choice)
                                                                : startedText(choice.started),
                  [](RunChoice& c) {
                      c.started = RunChoice::Started::Any;
                      c.from = c.to = {};
                  });
    return std::move(chips.chips);
}

bool isFiltered(const RunChoice& choice)
{
    RunChoice words;
    words.text = choice.text;
    return choice != words;
}

QVariantMap toSettings(const RunChoice& choice)
{
    QStringList states, kinds;
    for (const RunState state : choice.states)
        states << QString::fromLatin1(toText(state));
    for (const RunKind kind : choice.kinds)
        kinds << QString::fromLatin1(toText(kind));
    return {{QStringLiteral("text"), choice.text},
            {QStringLiteral("states"), states},
            {QStringLiteral("kinds"), kinds},
            {QStringLiteral("models"), toList(choice.models)},
            {QStringLiteral("layouts"), toList(choice.layouts)},
            {QStringLiteral("schedules"), toList(choice.schedules)},
            {QStringLiteral("tags"), toList(choice.tags)},
            {QStringLiteral("dp"), choice.dp.value_or(0)},
            {QStringLiteral("tp"), choice.tp.value_or(0)},
            {QStringLiteral("pp"), choice.pp.value_or(0)},
            {QStringLiteral("starred"), choice.starred},
            {QStringLiteral("started"), int(choice.started)},
            {QStringLiteral("from"), choice.from.toString(Qt::ISODate)},
            {QStringLiteral("to"), choice.to.toString(Qt::ISODate)}};
}

RunChoice choiceFromSettings(const QVariantMap& map)
{
    RunChoice choice;
    choice.text = map.value(QStringLiteral("text")).toString();
    for (const std::string& text : fromList(map.value(QStringLiteral("states"))))
        if (const auto state = runStateFromText(text))
            choice.states.push_back(*state);
    for (const std::string& text : fromList(map.value(QStringLiteral("kinds"))))
        if (const auto kind = runKindFromText(text))
            choice.kinds.push_back(*kind);
    choice.models = fromList(map.value(QStringLiteral("models")));
    choice.layouts = fromList(map.value(QStringLiteral("layouts")));
    choice.schedules = fromList(map.value(QStringLiteral("schedules")));
    choice.tags = fromList(map.value(QStringLiteral("tags")));
    choice.dp = sizeFrom(map.value(QStringLiteral("dp")));
    choice.tp = sizeFrom(map.value(QStringLiteral("tp")));
    choice.pp = sizeFrom(map.value(QStringLiteral("pp")));
    choice.starred = map.value(QStringLiteral("starred")).toBool();
    const int started = map.value(QStringLiteral("started")).toInt();
    if (started > 0 && started <= int(RunChoice::Started::Between))
        choice.started = RunChoice::Started(started);
    choice.from = QDate::fromString(map.value(QStringLiteral("from")).toString(), Qt::ISODate);
    choice.to = QDate::fromString(map.value(QStringLiteral("to")).toString(), Qt::ISODate);
    if (choice.started == RunChoice::Started::Between && !choice.from.isValid() &&
        !choice.to.isValid())
        choice.started = RunChoice::Started::Any;
    return choice;
}

} // namespace triaxis::ui
