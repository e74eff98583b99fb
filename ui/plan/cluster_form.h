#pragma once

#include "ui/plan/form_section.h"

#include <functional>

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

private:
    void chooseCluster(int index);
    void refresh();
    /// A change of the floor, as a command.
    void change(const QString& text, const std::function<void(DrawnCluster&)>& edit);

    PlanDocument& m_document;
    QComboBox* m_cluster;
    QLabel* m_summary;
    QSpinBox* m_nodes;
    QSpinBox* m_nodeSize;
    QComboBox* m_device;
    QSpinBox* m_rack;
    QPushButton* m_figures;
};

} // namespace triaxis::ui
