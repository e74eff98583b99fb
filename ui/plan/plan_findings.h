#pragma once

#include "ui/plan/mend.h"

#include <QHash>
#include <QString>

#include <functional>
#include <vector>

class QWidget;

namespace triaxis::ui
{

class PlanDocument;
class PlanPredictor;

/// A finding with the changes that would mend it.
struct PlanFinding
{
    Diagnostic finding;
    std::vector<DrawnMend> mends;
};

/// Everything there is to say about the plan that is drawn: broken rules, notes about this machine,
/// and what its prediction found out, as far as that is of this plan.
std::vector<PlanFinding> planFindings(const PlanDocument& document, const PlanPredictor& predictor);

/// The name of the place where a finding of `where` is shown: a setting ("training.microbatch"), an
/// axis ("layout.tp"), the bar of layers, the floor, the figures.
QString placeOf(const std::string& where);

/// The heaviest finding at a place, the first of equals; null: none.
const PlanFinding* heaviestAt(const std::vector<PlanFinding>& findings, const QString& place);

/// What a place says about a finding: how to mend an error, or else what was found.
QString adviceOf(const Diagnostic& finding);
/// The same in the words of the engine.
const std::string& adviceText(const Diagnostic& finding);

/// A widget that says what is found about it; null: nothing.
struct FindingPlace
{
    QWidget* widget = nullptr;
    std::function<void(const PlanFinding*)> show;
};
using FindingPlaces = QHash<QString, FindingPlace>; ///< by name

/// Gives every place the heaviest of its findings.
void showFindings(const FindingPlaces& places, const std::vector<PlanFinding>& findings);

} // namespace triaxis::ui
