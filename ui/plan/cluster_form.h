#pragma once

#include "ui/plan/form_section.h"
#include "ui/run/machine_finder.h"

#include <functional>
#include <optional>

class QLabel;
class QPushButton;

namespace triaxis
{
struct DrawnCluster;
}

namespace triaxis::ui
{

class PlanDocument;

/// The floor: this machine, or a cluster from a preset with every figure editable.
class ClusterForm : public FormSection
{
    Q_OBJECT
public:
    explicit ClusterForm(PlanDocument& document, QWidget* parent = nullptr);

    /// Every link's figures and nodes of other devices, in a dialog.
    void editFigures();
    /// What was found on this machine, or why that is not known.
    void setMachine(const FoundMachine& machine);
    void setMachineProblem(const QString& why);

signals:
    /// The person asks to look again what this machine has.
    void machineWanted();

private:
    void buildRows();
    void connectRows();
    void showSummary();
    void chooseCluster(int index);
    void refresh();
    /// A change of the floor, as a command.
    void change(const QString& text, const std::function<void(DrawnCluster&)>& edit);

    PlanDocument& m_document;
    ChoiceBox* m_cluster;
    QLabel* m_summary;
    QSpinBox* m_nodes;
    QSpinBox* m_nodeSize;
    ChoiceBox* m_device;
    QSpinBox* m_rack;
    QPushButton* m_figures;
    QPushButton* m_again;
    std::optional<FoundMachine> m_machine;
    QString m_machineProblem;
};

} // namespace triaxis::ui
