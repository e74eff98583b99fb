#include "ui/plan/cluster_dialog.h"

#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/plan/link_model.h"
#include "ui/theme/fonts.h"
#include "ui/widgets/choice_box.h"
#include "ui/widgets/dialog_size.h"
#include "ui/widgets/panel.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QStyle>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

/// After a property that the style sheet looks at has changed.
void polishAgain(QWidget& widget)
{
    widget.style()->unpolish(&widget);
    widget.style()->polish(&widget);
}

} // namespace

ClusterDialog::ClusterDialog(const DrawnCluster& cluster, QWidget* parent)
    : QDialog(parent), m_cluster(cluster), m_links(new LinkModel(cluster.network.levels, this))
{
    setObjectName(QStringLiteral("clusterDialog"));
    setWindowTitle(tr("Links and mixed nodes · %1").arg(spoken(cluster.network.title)));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setProperty("look", "primary");
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 14);
    layout->setSpacing(12);
    layout->addWidget(buildLinks());
    layout->addWidget(buildMixed(), 1);
    layout->addWidget(buttons);
    resizeWithinScreen(*this, {1100, 440});
}

QWidget* ClusterDialog::buildLinks()
{
    auto* panel =
        new Panel(tr("Links of %1, innermost first").arg(spoken(m_cluster.network.title)));
    panel->setHint(tr("double-click a figure, or F2, to change it"));
    auto* table = new QTableView;
    table->setObjectName(QStringLiteral("links"));
    table->setAccessibleName(tr("Links of the cluster"));
    table->setModel(m_links);
    table->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(scaled(28));
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setMinimumSectionSize(scaled(58));
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setSectionResizeMode(LinkModel::Name, QHeaderView::Stretch);
    table->setFixedHeight(scaled(32) + scaled(28) * std::clamp(m_links->rowCount(), 1, 6) + 4);
    m_meaning = new QLabel;
    m_meaning->setObjectName(QStringLiteral("meaning"));
    m_meaning->setWordWrap(true);
    connect(m_links, &LinkModel::refused, this, [this](const QString& why) {
        m_meaning->setProperty("role", "problem");
        polishAgain(*m_meaning);
        m_meaning->setText(why);
    });
    connect(m_links, &LinkModel::dataChanged, this,
            [this](const QModelIndex& index) { explain(index.column()); });
    connect(table->selectionModel(), &QItemSelectionModel::currentColumnChanged, this,
            [this](const QModelIndex& index) { explain(index.column()); });
    table->setCurrentIndex(m_links->index(0, LinkModel::Bandwidth));
    panel->body()->addWidget(table);
    panel->body()->addWidget(m_meaning);
    return panel;
}

/// What the figures of a column are.
void ClusterDialog::explain(int column)
{
    const auto of = [&](int role) {
        return m_links->headerData(column, Qt::Horizontal, role).toString();
    };
    m_meaning->setProperty("role", "hint");
    polishAgain(*m_meaning);
    m_meaning->setText(QStringLiteral("%1: %2.").arg(of(Qt::DisplayRole), of(Qt::ToolTipRole)));
}

QWidget* ClusterDialog::buildMixed()
{
    auto* panel = new Panel(tr("Nodes with other devices"));
    panel->setHint(tr("where two entries meet, the later one counts"));
    m_mixed = new QListWidget;
    m_mixed->setObjectName(QStringLiteral("mixedNodes"));
    m_mixed->setAccessibleName(tr("Nodes with other devices"));
    panel->body()->addWidget(m_mixed, 1);
    panel->body()->addLayout(buildMixedRow());
    connect(m_mixed, &QListWidget::itemSelectionChanged, this,
            [this] { m_remove->setEnabled(!m_mixed->selectedItems().isEmpty()); });
    refreshMixed();
    return panel;
}

QLayout* ClusterDialog::buildMixedRow()
{
    const auto node = [this](const char* object, const char* name) {
        auto* box = new QSpinBox;
        box->setObjectName(QLatin1String(object));
        box->setRange(0, m_cluster.nodes - 1);
        box->setAccessibleName(Words::tr(name));
        box->setMinimumWidth(scaled(84));
        return box;
    };
    m_first = node("firstNode", QT_TRANSLATE_NOOP("Words", "First node"));
    m_last = node("lastNode", QT_TRANSLATE_NOOP("Words", "Last node"));
    connect(m_first, &QSpinBox::valueChanged, m_last,
            [this](int first) { m_last->setValue(std::max(first, m_last->value())); });
    connect(m_last, &QSpinBox::valueChanged, m_first,
            [this](int last) { m_first->setValue(std::min(last, m_first->value())); });
    m_device = new ChoiceBox;
    m_device->setObjectName(QStringLiteral("mixedDevice"));
    m_device->setAccessibleName(tr("Device of these nodes"));
    for (const DeviceSpec& preset : devicePresets())
        if (preset.name != m_cluster.network.device.name)
            m_device->addItem(spoken(preset.title), toQString(preset.name));
    auto* add = new QPushButton(tr("Add"));
    add->setObjectName(QStringLiteral("addMixed"));
    m_remove = new QPushButton(tr("Remove the selected"));
    m_remove->setObjectName(QStringLiteral("removeMixed"));
    connect(add, &QPushButton::clicked, this, &ClusterDialog::addMixed);
    connect(m_remove, &QPushButton::clicked, this, &ClusterDialog::removeMixed);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(new QLabel(tr("Nodes")));
    row->addWidget(m_first);
    row->addWidget(new QLabel(tr("to")));
    row->addWidget(m_last);
    row->addWidget(new QLabel(tr("have")));
    row->addWidget(m_device, 1);
    row->addWidget(add);
    row->addWidget(m_remove);
    return row;
}

void ClusterDialog::addMixed()
{
    m_cluster.mixed.push_back({m_first->value(), m_last->value() - m_first->value() + 1,
                               devicePreset(m_device->currentData().toString().toStdString())});
    refreshMixed();
    m_mixed->setCurrentRow(m_mixed->count() - 1);
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
        m_mixed->addItem(QStringLiteral("%1 %2: %3")
                             .arg(nodes.count == 1 ? tr("Node") : tr("Nodes"),
                                  rangeText(nodes.first, nodes.count), spoken(nodes.device.title)));
    if (m_cluster.mixed.empty()) {
        auto* hint =
            new QListWidgetItem(tr("All nodes have %1. Name some below that have another device.")
                                    .arg(spoken(m_cluster.network.device.title)));
        hint->setFlags(Qt::NoItemFlags);
        hint->setForeground(palette().placeholderText());
        m_mixed->addItem(hint);
    }
    m_remove->setEnabled(false);
}

DrawnCluster ClusterDialog::cluster() const
{
    DrawnCluster edited = m_cluster;
    edited.network.levels = m_links->levels();
    return edited;
}

} // namespace triaxis::ui
