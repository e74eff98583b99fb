#pragma once

#include "storage/run_summary.h"

#include <QDate>
#include <QString>
#include <QVariantMap>

#include <vector>

namespace triaxis::ui
{

/// Which runs a person wants to see.
struct RunChoice
{
    enum class Started { Any, Today, Week, Month, Year, Between };

    QString text;
    std::vector<RunState> states;
    std::vector<RunKind> kinds;
    std::vector<std::string> models, layouts, schedules, tags;
    std::optional<int> dp, tp, pp;
    bool starred = false;
    Started started = Started::Any; ///< Week: the last 7 days, Month: the last 30
    QDate from, to;                 ///< of Between, local, both included; invalid: open
    bool operator==(const RunChoice&) const = default;
};

/// `today`: local.
RunQuery queryOf(const RunChoice& choice, const QDate& today);

/// One filter that is set, and the choice without it.
struct ChoiceChip
{
    QString text; ///< "failed", "tensor 2", "#workshop"
    RunChoice without;
};
/// The search words are no chip: they stand in their field.
std::vector<ChoiceChip> chipsOf(const RunChoice& choice);
/// A filter beside the words is set.
bool isFiltered(const RunChoice& choice);

QString startedText(RunChoice::Started started);

/// For QSettings; what is not understood is left out.
QVariantMap toSettings(const RunChoice& choice);
RunChoice choiceFromSettings(const QVariantMap& map);

/// Takes the value out of the list, or puts it in.
template <class T>
void toggle(std::vector<T>& list, const T& value)
{
    if (std::erase(list, value) == 0)
        list.push_back(value);
}

} // namespace triaxis::ui
