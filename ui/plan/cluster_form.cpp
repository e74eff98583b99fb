#include "ui/plan/cluster_form.h"

#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/commands/change_plan.h"
#include "ui/commands/set_floor.h"
#include "ui/plan/cluster_dialog.h"
#include "ui/plan/plan_document.h"
#include "ui/widgets/choice_box.h"

#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>

namespace triaxis::ui
{
namespace
{

const QString machineKey = QStringLiteral("this machine");

/// What a run here computes on.
QString machineText(const std::optional<FoundMachine>& machine, int cores)
{
    const QString ranks = Words::tr("one process a rank, in float32");
    if (!machine)
        return Words::tr("%1 · %2").arg(counted(cores, QStringLiteral("core")), ranks);
    QStringList parts{machine->host,
                      counted(machine->cores, QStringLiteral("core")),
                      spoken(units::bytes(machine->memoryBytes)),
                      spoken(machine->device),
                      spoken(machine->blas),
                      machine->mpi};
    parts.removeAll(QString());
    for (const QString& gpu : machine->gpus)
        parts << gpu;
    parts << ranks;
    return parts.join(QStringLiteral(" · "));
}

QString clusterText(const DrawnCluster& cluster)
{
    QStringList links;
    for (const LinkLevel& level : cluster.network.levels)
        links << QStringLiteral("%1 %2").arg(spoken(level.name),
                                             spoken(units::bytesPerSecond(level.bandwidth)));
    QString text = Words::tr("%1 · %2").arg(counted(cluster.devices(), QStringLiteral("device")),
                                            links.join(QStringLiteral(" · ")));
    if (!cluster.mixed.empty())
        text += Words::tr(" · mixed nodes");
    return text;
}

} // namespace

ClusterForm::ClusterForm(PlanDocument& document, QWidget* parent)
    : FormSection(tr("Cluster"), parent), m_document(document)
{
    setObjectName(QStringLiteral("clusterForm"));
    buildRows();
    connectRows();
    connect(&m_document, &PlanDocument::changed, this, &ClusterForm::refresh);
    refresh();
}

void ClusterForm::buildRows()
{
    m_cluster = addChoice(QStringLiteral("cluster"), tr("Cluster"));
    m_cluster->addItem(tr("This machine"), machineKey);
    m_cluster->insertSeparator(1);
    for (const ClusterSpec& preset : clusterPresets()) {
        m_cluster->addItem(spoken(preset.title), toQString(preset.name));
        m_cluster->setItemData(m_cluster->count() - 1, spoken(preset.source), Qt::ToolTipRole);
    }
    m_summary = new QLabel;
    m_summary->setObjectName(QStringLiteral("clusterSummary"));
    m_summary->setProperty("role", "hint");
    m_summary->setWordWrap(true);
    column()->addWidget(m_summary);
    m_again = new QPushButton(tr("Look again"));
    m_again->setObjectName(QStringLiteral("findMachine"));
    m_again->setToolTip(tr("Ask triaxis-rank --devices what this machine has"));
    column()->addWidget(m_again);
    m_nodes = addNumber(QStringLiteral("cluster.nodes"), tr("Nodes"), 1, 1 << 17);
    m_nodeSize = addNumber(QStringLiteral("cluster.nodeSize"), tr("GPUs a node"), 1, 1 << 14);
    m_device = addChoice(QStringLiteral("cluster.device"), tr("Device"));
    for (const DeviceSpec& preset : devicePresets())
        m_device->addItem(spoken(preset.title), toQString(preset.name));
    m_rack = addNumber(QStringLiteral("cluster.rack"), tr("Nodes a rack"), 1, 4096);
    m_figures = new QPushButton(tr("Links and mixed nodes…"));
    m_figures->setObjectName(QStringLiteral("clusterFigures"));
    m_figures->setToolTip(tr("Bandwidth, latency and every other figure of the links; "
                             "nodes with other devices"));
    column()->addWidget(m_figures);
}

void ClusterForm::connectRows()
{
    connect(m_again, &QPushButton::clicked, this, &ClusterForm::machineWanted);
    connect(m_cluster, &ChoiceBox::activated, this, &ClusterForm::chooseCluster);
    connect(m_figures, &QPushButton::clicked, this, &ClusterForm::editFigures);
    connect(m_nodes, &QSpinBox::valueChanged, this, [this](int nodes) {
        change(tr("number of nodes"), [nodes](DrawnCluster& cluster) { cluster.nodes = nodes; });
    });
    connect(m_nodeSize, &QSpinBox::valueChanged, this, [this](int size) {
        change(tr("devices a node"), [this, size](DrawnCluster& cluster) {
            const std::int64_t devices = drawnLayout(m_document.drawn()).ranks();
            cluster.nodeSize = size;
            cluster.nodes = int(std::max<std::int64_t>(1, (devices + size - 1) / size));
        });
    });
    connect(m_rack, &QSpinBox::valueChanged, this, [this](int nodes) {
        change(tr("nodes a rack"), [nodes](DrawnCluster& cluster) { cluster.rack = nodes; });
    });
    connect(m_device, &ChoiceBox::activated, this, [this](int index) {
        const std::string name = m_device->itemData(index).toString().toStdString();
        if (name.empty())
            return;
        change(tr("device"),
               [&](DrawnCluster& cluster) { cluster.network.device = devicePreset(name); });
    });
}

void ClusterForm::setMachine(const FoundMachine& machine)
{
    m_machine = machine;
    m_machineProblem.clear();
    showSummary();
}

void ClusterForm::setMachineProblem(const QString& why)
{
    m_machineProblem = why;
    showSummary();
}

void ClusterForm::showSummary()
{
    const DrawnCluster& cluster = m_document.drawn().cluster;
    const bool unknown = cluster.thisMachine && !m_machineProblem.isEmpty();
    m_again->setVisible(unknown);
    m_summary->setText(unknown ? tr("What this machine has could not be found: ") + m_machineProblem
                       : cluster.thisMachine ? machineText(m_machine, m_document.cores())
                                             : clusterText(cluster));
    m_summary->setProperty("role", unknown ? "caution" : "hint");
    m_summary->style()->unpolish(m_summary);
    m_summary->style()->polish(m_summary);
}

void ClusterForm::change(const QString& text, const std::function<void(DrawnCluster&)>& edit)
{
    DrawnCluster cluster = m_document.drawn().cluster;
    edit(cluster);
    m_document.apply(std::make_unique<SetFloor>(m_document, cluster, text));
}

void ClusterForm::chooseCluster(int index)
{
    const QString name = m_cluster->itemData(index).toString();
    if (name.isEmpty())
        return;
    const QString text = tr("cluster");
    if (name == machineKey) {
        DrawnPlan plan = m_document.drawn();
        plan.cluster.thisMachine = true;
        const Layout& layout = plan.run.layout;
        plan.deviceOfRank.clear();
        plan = withAxisSizes(std::move(plan), layout.dp, layout.tp, layout.pp);
        m_document.apply(std::make_unique<ChangePlan>(m_document, std::move(plan), text));
        return;
    }
    m_document.apply(std::make_unique<ChangePlan>(
        m_document, withNetwork(m_document.drawn(), clusterPreset(name.toStdString())), text));
}

void ClusterForm::editFigures()
{
    ClusterDialog dialog(m_document.drawn().cluster, window());
    if (dialog.exec() != QDialog::Accepted)
        return;
    m_document.apply(
        std::make_unique<SetFloor>(m_document, dialog.cluster(), tr("figures of the cluster")));
}

void ClusterForm::refresh()
{
    const DrawnPlan& plan = m_document.drawn();
    const DrawnCluster& cluster = plan.cluster;
    const auto put = [](QSpinBox* box, int value) {
        const QSignalBlocker quiet(box);
        box->setValue(value);
    };
    m_cluster->setCurrentIndex(
        m_cluster->findData(cluster.thisMachine ? machineKey : toQString(cluster.network.name)));
    // One that no preset has keeps its name.
    m_cluster->setPlaceholderText(spoken(cluster.network.title));
    m_device->setPlaceholderText(spoken(cluster.network.device.title));
    showSummary();
    put(m_nodes, cluster.nodes);
    put(m_nodeSize, cluster.nodeSize);
    put(m_rack, cluster.rack);
    m_device->setCurrentIndex(m_device->findData(toQString(cluster.network.device.name)));
    for (const char* where : {"cluster.nodeSize", "cluster.device", "cluster.rack"})
        showRow(QLatin1String(where), !cluster.thisMachine);
    m_figures->setVisible(!cluster.thisMachine);
    m_nodes->setToolTip(cluster.thisMachine
                            ? tr("How many nodes the ranks are drawn as; they all run "
                                 "on this machine")
                            : tr("Nodes of %1").arg(counted(cluster.nodeSize, QStringLiteral("device"))));
}

} // namespace triaxis::ui
