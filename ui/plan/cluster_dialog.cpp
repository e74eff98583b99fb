#include "ui/plan/cluster_dialog.h"

#include "ui/base/text.h"
#include "ui/plan/link_model.h"
#include "ui/theme/text_size.h"
#include "ui/widgets/panel.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace triaxis::ui
{

ClusterDialog::ClusterDialog(const DrawnCluster& cluster, QWidget* parent)
    : QDialog(parent), m_cluster(cluster), m_links(new LinkModel(cluster.network.levels, this))
{
    setObjectName(QStringLiteral("clusterDialog"));
    setWindowTitle(
        QStringLiteral("Links and mixed nodes · %1").arg(toQString(cluster.network.title)));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 14);
    layout->setSpacing(12);
    layout->addWidget(buildLinks(), 3);
    layout->addWidget(buildMixed(), 2);
    layout->addWidget(buttons);
    resize(980, 560);
}

QWidget* ClusterDialog::buildLinks()
{
    auto* panel = new Panel(QStringLiteral("Links, innermost first"));
    panel->setHint(QStringLiteral("double-click a figure to change it"));
    auto* table = new QTableView;
    table->setObjectName(QStringLiteral("links"));
    table->setAccessibleName(QStringLiteral("Links of the cluster"));
    table->setModel(m_links);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setSectionResizeMode(LinkModel::Name, QHeaderView::Stretch);
    table->setMinimumHeight(140);
    panel->setContent(table);
    return panel;
}

QWidget* ClusterDialog::buildMixed()
{
    auto* panel = new Panel(QStringLiteral("Nodes with other devices"));
    m_mixed = new QListWidget;
    m_mixed->setObjectName(QStringLiteral("mixedNodes"));
    m_mixed->setAccessibleName(QStringLiteral("Nodes with other devices"));
    m_first = new QSpinBox;
    m_first->setRange(0, m_cluster.nodes - 1);
    m_first->setAccessibleName(QStringLiteral("First node"));
    m_count = new QSpinBox;
    m_count->setRange(1, m_cluster.nodes);
    m_count->setAccessibleName(QStringLiteral("Number of nodes"));
    m_device = new QComboBox;
    m_device->setAccessibleName(QStringLiteral("Device of these nodes"));
    for (const DeviceSpec& preset : devicePresets())
        m_device->addItem(toQString(preset.title), toQString(preset.name));
    auto* add = new QPushButton(QStringLiteral("Add"));
    add->setObjectName(QStringLiteral("addMixed"));
    auto* remove = new QPushButton(QStringLiteral("Remove"));
    remove->setObjectName(QStringLiteral("removeMixed"));
    connect(add, &QPushButton::clicked, this, &ClusterDialog::addMixed);
    connect(remove, &QPushButton::clicked, this, &ClusterDialog::removeMixed);
    auto* row = new QHBoxLayout;
    row->addWidget(new QLabel(QStringLiteral("From node")));
    row->addWidget(m_first);
    row->addWidget(new QLabel(QStringLiteral("nodes")));
    row->addWidget(m_count);
    row->addWidget(m_device, 1);
    row->addWidget(add);
    row->addWidget(remove);
    panel->body()->addWidget(m_mixed, 1);
    panel->body()->addLayout(row);
    refreshMixed();
    return panel;
}

void ClusterDialog::addMixed()
{
    const int first = m_first->value();
    const int count = std::min(m_count->value(), m_cluster.nodes - first);
    m_cluster.mixed.push_back(
        {first, count, devicePreset(m_device->currentData().toString().toStdString())});
    refreshMixed();
}

void ClusterDialog::removeMixed()
{
    const int row = m_mixed->currentRow();
    if (row < 0 || row >= int(m_cluster.mixed.size()))
        return;
    m_cluster.mixed.erase(m_cluster.mixed.begin() + row);
    refreshMixed();
}

void ClusterDialog::refreshMixed()
{
    m_mixed->clear();
    for (const NodeDevices& nodes : m_cluster.mixed)
        m_mixed->addItem(
            QStringLiteral("nodes %1: %2")
                .arg(rangeText(nodes.first, nodes.count), toQString(nodes.device.title)));
    if (m_cluster.mixed.empty()) {
        auto* hint = new QListWidgetItem(
            QStringLiteral("All nodes have the cluster's own device. Add some with another one."));
        hint->setFlags(Qt::NoItemFlags);
        m_mixed->addItem(hint);
    }
}

DrawnCluster ClusterDialog::cluster() const
{
    DrawnCluster edited = m_cluster;
    edited.network.levels = m_links->levels();
    return edited;
}

} // namespace triaxis::ui
