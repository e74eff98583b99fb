#pragma once

class QString;
class QWidget;

namespace triaxis::ui
{

class ComparisonView;
class PlanDocument;
class PlanPage;
class RunView;

/// Each opens the dialog with all that can be written of what is shown.
void exportRun(QWidget* parent, const RunView& view);
/// Without an id it says that a run has to be chosen.
void exportStoredRun(QWidget* parent, const QString& id);
void exportComparison(QWidget* parent, const ComparisonView& view);
void exportPlan(QWidget* parent, const PlanPage& page, const PlanDocument& document);

} // namespace triaxis::ui
