#include "ui/panels/memory_panel.h"

#include "engine/core/units.h"
#include "ui/base/text.h"
#include "ui/timeline/view_range.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace triaxis::ui
{
namespace
{

QComboBox* flatBox(const QString& name, const QString& accessibleName)
{
    auto* box = new QComboBox;
    box->setObjectName(name);
    box->setAccessibleName(accessibleName);
    box->setToolTip(accessibleName);
    box->setProperty("flat", true);
    return box;
}

const std::vector<StepStore<MemorySample>::Entry>* samples(const RunData* run)
{
    if (!run || run->memoryOverTime().empty() || run->memoryOverTime()[0].empty())
        return nullptr;
    return &run->memoryOverTime()[0].entries();
}

} // namespace

MemoryPanel::MemoryPanel(ViewRange& range, QWidget* parent)
    : RunPanel(QStringLiteral("memoryPanel"), QStringLiteral("Memory"), parent), m_range(range),
      m_category(
          flatBox(QStringLiteral("memoryCategory"), QStringLiteral("Which memory is shown"))),
      m_when(flatBox(QStringLiteral("memoryKind"), QStringLiteral("Peak of the run, or a moment"))),
      m_slider(new QSlider(Qt::Horizontal)), m_moment(new QLabel), m_empty(emptyHint()),
      m_grid(new MemoryGrid), m_curvesTitle(new QLabel), m_curves(new MemoryCurves)
{
    m_category->addItem(QStringLiteral("all uses"), -1);
    for (int category = 0; category < memoryCategoryCount; ++category)
        m_category->addItem(QLatin1String(toText(MemoryCategory(category))), category);
    m_when->addItems({QStringLiteral("peak"), QStringLiteral("at a moment")});
    addControl(m_category);
    addControl(m_when);
    m_slider->setObjectName(QStringLiteral("memoryMoment"));
    m_slider->setRange(0, 0);
    m_slider->setAccessibleName(QStringLiteral("Moment shown, step by step"));
    m_moment->setProperty("role", "small");
    m_curvesTitle->setProperty("role", "small");
    m_curvesTitle->setObjectName(QStringLiteral("memoryCurvesTitle"));
    m_curvesTitle->setWordWrap(true);
    auto* scrubber = new QHBoxLayout;
    scrubber->addWidget(m_slider, 1);
    scrubber->addWidget(m_moment);
    content()->addWidget(m_empty);
    content()->addWidget(m_grid);
    content()->addLayout(scrubber);
    content()->addWidget(m_curvesTitle);
    content()->addWidget(m_curves);
    addFoldout(
        QStringLiteral("What is this?"),
        QStringLiteral(
            "<p>Bytes that each rank had allocated, as its own allocator counts them: at the "
            "peak of the whole run, or at a moment. A rank reports once a step; a moment "
            "then shows the most that its step needed, each use at its own peak, so that "
            "the uses together may exceed what was taken at once (the line over the "
            "curves).</p><p>The moment is the cursor of the timeline: move the slider, "
            "click into the curves, or set it in the timeline. Colours of moments are "
            "on the scale of the peak.</p>"));
    content()->addStretch(1);
    connect(m_category, &QComboBox::currentIndexChanged, this, &MemoryPanel::markStale);
    connect(m_when, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (index == 0) {
            m_range.setCursor(std::nullopt);
        } else if (!m_range.cursor()) {
            scrub(m_slider->value());
        }
        markStale();
    });
    connect(m_slider, &QSlider::valueChanged, this, &MemoryPanel::scrub);
    connect(m_grid, &MemoryGrid::selectionChanged, this, &MemoryPanel::refreshCurves);
    connect(m_curves, &MemoryCurves::cursorChosen, &m_range,
            [this](double seconds) { m_range.setCursor(seconds); });
    connect(&m_range, &ViewRange::cursorChanged, this, &MemoryPanel::followCursor);
}

void MemoryPanel::setRun(const RunData* run)
{
    m_prediction.reset();
    m_grid->select(-1);
    const QSignalBlocker quiet(m_when);
    m_when->setCurrentIndex(0);
    RunPanel::setRun(run);
}

void MemoryPanel::setPrediction(std::shared_ptr<const RunPrediction> prediction)
{
    m_prediction = std::move(prediction);
    markStale();
}

std::optional<double> MemoryPanel::moment() const
{
    if (m_when->currentIndex() == 0)
        return std::nullopt;
    return m_range.cursor();
}

MemoryChoice MemoryPanel::choice() const
{
    const int category = m_category->currentData().toInt();
    return category < 0 ? std::nullopt : std::optional(MemoryCategory(category));
}

void MemoryPanel::scrub(int value)
{
    const auto* all = samples(run());
    if (!all)
        return;
    const auto at = std::min(std::size_t(std::max(0, value)), all->size() - 1);
    m_range.setCursor((*all)[at].item.time);
}

void MemoryPanel::followCursor()
{
    const std::optional<double> cursor = m_range.cursor();
    const QSignalBlocker quietWhen(m_when);
    const QSignalBlocker quietSlider(m_slider);
    m_when->setCurrentIndex(cursor ? 1 : 0);
    const auto* all = samples(run());
    if (cursor && all) {
        const auto found =
            std::lower_bound(all->begin(), all->end(), *cursor,
                             [](const auto& entry, double t) { return entry.item.time < t; });
        m_slider->setValue(std::min(int(found - all->begin()), int(all->size()) - 1));
    }
    markStale();
}

int MemoryPanel::chosenRank() const
{
    const int selected = m_grid->selected();
    const auto& cells = m_grid->cells();
    if (selected >= 0 && std::size_t(selected) < cells.size())
        return cells[std::size_t(selected)].rank;
    const auto fullest = std::max_element(
        cells.begin(), cells.end(),
        [](const MemoryGrid::Cell& a, const MemoryGrid::Cell& b) { return a.bytes < b.bytes; });
    return fullest == cells.end() ? -1 : fullest->rank;
}

void MemoryPanel::refresh()
{
    const auto* all = samples(run());
    const bool any = all != nullptr;
    {
        const QSignalBlocker quiet(m_slider);
        const bool atEnd = m_slider->value() >= m_slider->maximum();
        m_slider->setRange(0, any ? int(all->size()) - 1 : 0);
        m_slider->setPageStep(std::max(1, m_slider->maximum() / 20));
        if (atEnd && !m_range.cursor())
            m_slider->setValue(m_slider->maximum());
    }
    m_empty->setVisible(!any);
    for (QWidget* widget : {static_cast<QWidget*>(m_grid), static_cast<QWidget*>(m_slider),
                            static_cast<QWidget*>(m_moment), static_cast<QWidget*>(m_curvesTitle),
                            static_cast<QWidget*>(m_curves)})
        widget->setVisible(any);
    m_empty->setText(QStringLiteral("Measured at the end of the first step."));
    if (!any) {
        setBasis({});
        m_grid->setCells({});
        m_curves->setPoints({});
        return;
    }
    refreshCells();
    refreshCurves();
}

void MemoryPanel::refreshCells()
{
    const std::optional<double> when = moment();
    std::int64_t most = 0;
    for (std::size_t rank = 0; rank < run()->peakBytes().size(); ++rank)
        most = std::max(most, memoryBytes(*run(), rank, choice(), std::nullopt));
    m_grid->setScale(most);
    m_grid->setCells(memoryCells(*run(), choice(), when));
    QString basis = QStringLiteral("peak of every rank");
    if (when) {
        const MemorySample* sample = sampleAt(*run(), 0, *when);
        basis = run()->samplesWithinSteps()
                    ? QStringLiteral("at %1").arg(toQString(units::seconds(*when)))
                    : QStringLiteral("most within step %1").arg(sample ? sample->step : 0);
    }
    if (run()->isMemoryThinned())
        basis += QStringLiteral(" · old steps thinned out");
    setBasis(basis);
    const auto* all = samples(run());
    const auto at = std::min(std::size_t(m_slider->value()), all->size() - 1);
    m_moment->setText(QStringLiteral("step %1").arg((*all)[at].item.step));
}

void MemoryPanel::refreshCurves()
{
    const int rank = run() ? chosenRank() : -1;
    if (rank < 0) {
        m_curves->setPoints({});
        return;
    }
    m_curves->setPoints(memoryPoints(*run(), std::size_t(rank)));
    m_curves->setCursor(moment());
    m_curves->setPredictedPeak(m_prediction && m_prediction->prediction &&
                                       std::size_t(rank) < m_prediction->prediction->memory.size()
                                   ? m_prediction->prediction->memory[std::size_t(rank)].peakTotal
                                   : 0);
    m_curvesTitle->setText(
        m_grid->selected() >= 0
            ? QStringLiteral("rank %1 over time").arg(rank)
            : QStringLiteral("rank %1, the fullest, over time. Choose another cell for its rank.")
                  .arg(rank));
}

} // namespace triaxis::ui
