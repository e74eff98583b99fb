#include "ui/panels/communication_panel.h"

#include "engine/core/error.h"
#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/theme/fonts.h"
#include "ui/widgets/traffic_grid.h"

#include <QComboBox>
#include <QLabel>
#include <QVBoxLayout>

namespace triaxis::ui
{
namespace
{

constexpr int mostRows = 64;

QComboBox* flatBox(const QString& name, const QString& accessibleName)
{
    auto* box = new QComboBox;
    box->setObjectName(name);
    box->setAccessibleName(accessibleName);
    box->setToolTip(accessibleName);
    box->setProperty("flat", true);
    return box;
}

} // namespace

CommunicationPanel::CommunicationPanel(QWidget* parent)
    : RunPanel(QStringLiteral("communicationPanel"), tr("Communication"), parent),
      m_axis(flatBox(QStringLiteral("trafficAxis"), tr("Which axis is shown"))),
      m_measure(flatBox(QStringLiteral("trafficMeasure"), tr("Bytes or time"))),
      m_fold(flatBox(QStringLiteral("trafficFold"), tr("What a row stands for"))),
      m_empty(emptyHint()), m_grid(new TrafficGrid), m_reading(new QLabel)
{
    m_axis->addItem(tr("all axes"), -1);
    for (int axis = 0; axis < trafficAxisCount; ++axis)
        m_axis->addItem(spoken(toText(TrafficAxis(axis))), axis);
    m_measure->addItems({tr("bytes"), tr("time")});
    m_reading->setObjectName(QStringLiteral("trafficReading"));
    m_reading->setProperty("role", "small");
    m_reading->setWordWrap(true);
    for (QComboBox* box : {m_axis, m_measure, m_fold}) {
        addControl(box);
        connect(box, &QComboBox::currentIndexChanged, this, &CommunicationPanel::markStale);
    }
    connect(m_grid, &TrafficGrid::selectionChanged, this, &CommunicationPanel::tell);
    content()->addWidget(m_empty);
    content()->addWidget(m_grid);
    content()->addWidget(m_reading);
    addFoldout(
        tr("What is this?"),
        tr("<p>Rows send to columns. Bytes are those of the program, for one step; time is that "
           "in "
           "which the sender's transfers moved bytes (without waiting for the partner), the mean "
           "over the steps shown.</p>"
           "<p><b>pipeline</b> Activations and their gradients between stages. <b>tensor</b> The "
           "sums "
           "inside forwards and backwards. <b>data</b> Gradients of the replicas. <b>norm and "
           "loss</b> Scalars at the end of the step.</p>"
           "<p>Collectives are counted as rings: each rank sends 2(n − 1)/n of the payload to the "
           "next "
           "of its group, whichever algorithm the library takes.</p>"));
    content()->addStretch(1);
}

CommunicationPanel::~CommunicationPanel() = default;

void CommunicationPanel::setRun(const RunData* run)
{
    m_program.reset();
    m_noProgram = false;
    if (run) {
        const QSignalBlocker quiet(m_fold);
        m_fold->clear();
        const Layout& layout = run->plan().layout;
        if (layout.ranks() <= mostRows)
            m_fold->addItem(tr("by rank"), int(TrafficFold::Rank));
        if (layout.tp > 1 && layout.dp * layout.pp <= mostRows)
            m_fold->addItem(tr("by group"), int(TrafficFold::StageOfReplica));
        if (layout.pp > 1)
            m_fold->addItem(tr("by stage"), int(TrafficFold::Stage));
        if (layout.dp > 1 && layout.dp <= mostRows)
            m_fold->addItem(tr("by replica"), int(TrafficFold::Replica));
        if (m_fold->count() == 0)
            m_fold->addItem(tr("by stage"), int(foldThatFits(layout, mostRows)));
        m_fold->setVisible(m_fold->count() > 1);
    }
    RunPanel::setRun(run);
}

std::vector<TrafficLink> CommunicationPanel::links(const std::vector<StepTraffic>& steps)
{
    if (!m_program && !m_noProgram) {
        try {
            m_program = std::make_unique<Program>(programOf(run()->plan()));
        } catch (const Error&) {
            m_noProgram = true; // a later version refuses the plan
        }
    }
    return m_program ? trafficLinks(*m_program, programInputs(run()->plan()), steps)
                     : std::vector<TrafficLink>();
}

void CommunicationPanel::refresh()
{
    TrafficMatrix matrix;
    std::size_t kept = 0;
    if (run() && run()->plan().layout.ranks() > 1) {
        const std::vector<StepTraffic> steps = trafficOf(*run(), this->steps());
        kept = steps.size();
        const int axis = m_axis->currentData().toInt();
        matrix = trafficMatrix(links(steps), run()->plan().layout,
                               TrafficFold(m_fold->currentData().toInt()),
                               axis < 0 ? std::nullopt : std::optional(TrafficAxis(axis)));
    }
    const bool any = matrix.size() > 0;
    m_empty->setVisible(!any);
    m_grid->setVisible(any);
    m_reading->setVisible(any);
    m_empty->setText(run() && run()->plan().layout.ranks() == 1
                         ? tr("One rank talks to nobody. Draw a layout with more ranks on the "
                              "Plan page.")
                         : tr("Shown for a run with more than one rank."));
    setBasis(!any       ? QString()
             : kept > 0 ? (this->steps().first == this->steps().last ? QString() : tr("mean of ")) +
                              basisText(this->steps(), kept)
                        : tr("by the program"));
    m_grid->setMatrix(std::move(matrix), m_measure->currentIndex() == 0
                                             ? TrafficGrid::Measure::Bytes
                                             : TrafficGrid::Measure::Seconds);
    tell();
}

void CommunicationPanel::tell()
{
    if (m_grid->selected().any()) {
        m_reading->setText(m_grid->describe(m_grid->selected()));
        return;
    }
    double bytes = 0;
    for (const TrafficMatrix::Cell& cell : m_grid->matrix().cells)
        bytes += cell.bytes;
    m_reading->setText(tr("%1 a step in all. Choose a cell for its pair.")
                           .arg(spoken(units::bytes(std::int64_t(bytes)))));
}

} // namespace triaxis::ui
