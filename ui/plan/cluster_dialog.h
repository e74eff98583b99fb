#pragma once

#include "engine/plan/drawn_cluster.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;
class QSpinBox;

namespace triaxis::ui
{

class LinkModel;

/// Every figure of a cluster's links, and nodes with other devices than the rest.
class ClusterDialog : public QDialog
{
    Q_OBJECT
public:
    explicit ClusterDialog(const DrawnCluster& cluster, QWidget* parent = nullptr);

    /// With what was edited.
    DrawnCluster cluster() const;

private:
    QWidget* buildLinks();
    QWidget* buildMixed();
    QLayout* buildMixedRow();
    void explain(int column);
    void addMixed();
    void removeMixed();
    void refreshMixed();

    DrawnCluster m_cluster;
    LinkModel* m_links;
    QListWidget* m_mixed = nullptr;
    QSpinBox* m_first = nullptr;
    QSpinBox* m_last = nullptr;
    QComboBox* m_device = nullptr;
    QPushButton* m_remove = nullptr;
    QLabel* m_meaning = nullptr; ///< of the column that is selected, or why a figure was refused
};

} // namespace triaxis::ui
