#include "ui/panels/memory_panel.h"

#include "engine/core/units.h"
#include "ui/base/language.h"
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

constexpr int rangeChoice = 0;
constexpr int momentChoice = 2;

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

int lastSampleOf(const std::vector<StepStore<MemorySample>::Entry>& all, const ShownSteps& steps)
{
    const auto after =
        std::upper_bound(all.begin(), all.end(), steps.last,
                         [](std::int32_t step, const auto& entry) { return step < entry.step; });
    return after == all.begin() ? int(all.size()) - 1 : int(after - all.begin()) - 1;
}

} // namespace

MemoryPanel::MemoryPanel(ViewRange& range, QWidget* parent)
    : RunPanel(QStringLiteral("memoryPanel"), tr("Memory"), parent), m_range(range),
      m_category(flatBox(QStringLiteral("memoryCategory"), tr("Which memory is shown"))),
      m_when(flatBox(QStringLiteral("memoryKind"),
                     tr("Peak of what the timeline shows, of the run, or a moment"))),
      m_slider(new QSlider(Qt::Horizontal)), m_moment(new QLabel), m_empty(emptyHint()),
      m_grid(new MemoryGrid), m_curvesTitle(new QLabel), m_curves(new MemoryCurves)
{
    m_category->addItem(tr("all uses"), -1);
    for (int category = 0; category < memoryCategoryCount; ++category)
        m_category->addItem(spoken(toText(MemoryCategory(category))), category);
    m_when->addItems({tr("peak in range"), tr("peak of the run"), tr("at a moment")});
    addControl(m_category);
    addControl(m_when);
    m_slider->setObjectName(QStringLiteral("memoryMoment"));
    m_slider->setRange(0, 0);
    m_slider->setAccessibleName(tr("Moment shown, step by step"));
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
        tr("What is this?"),
        tr("<p>Bytes that each rank had allocated, as its own allocator counts them: at the "
           "peak of the steps that the timeline shows, of the whole run, or at a moment. A rank "
           "reports once a step; a moment "
           "then shows the most that its step needed, each use at its own peak, so that "
           "the uses together may exceed what was taken at once (the line over the "
           "curves).</p><p>The moment is the cursor of the timeline: move the slider, "
           "click into the curves, or set it in the timeline. Colours of moments are "
           "on the scale of the peak.</p>"));
    content()->addStretch(1);
    connect(m_category, &QComboBox::currentIndexChanged, this, &MemoryPanel::markStale);
    connect(m_when, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (index != momentChoice) {
            m_peakChoice = index;
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
    m_when->setCurrentIndex(m_peakChoice);
    RunPanel::setRun(run);
}

void MemoryPanel::setPrediction(std::shared_ptr<const RunPrediction> prediction)
{
    m_prediction = std::move(prediction);
    markStale();
}

std::optional<double> MemoryPanel::moment() const
{
    if (m_when->currentIndex() != momentChoice)
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
    m_when->setCurrentIndex(cursor ? momentChoice : m_peakChoice);
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
        m_slider->setRange(0, any ? int(all->size()) - 1 : 0);
        m_slider->setPageStep(std::max(1, m_slider->maximum() / 20));
        if (any && !m_range.cursor()) // where the steps end that are shown
            m_slider->setValue(lastSampleOf(*all, steps()));
    }
    m_empty->setVisible(!any);
    for (QWidget* widget : {static_cast<QWidget*>(m_grid), static_cast<QWidget*>(m_slider),
                            static_cast<QWidget*>(m_moment), static_cast<QWidget*>(m_curvesTitle),
                            static_cast<QWidget*>(m_curves)})
        widget->setVisible(any);
    m_empty->setText(tr("Measured at the end of the first step."));
    if (!any) {
        setBasis({});
        m_grid->setCells({});
        m_curves->setPoints({});
        return;
    }
    refreshCells();
    refreshCurves();
}

MemoryWhen MemoryPanel::when() const
{
    if (const auto seconds = moment())
        return *seconds;
    if (m_when->currentIndex() == rangeChoice && memorySteps(*run(), steps()) > 0)
        return steps();
    return {};
}

/// What the cells are of, in words.
QString MemoryPanel::basis() const
{
    const MemoryWhen of = when();
    QString text = tr("peak of all steps");
    if (const auto* range = std::get_if<ShownSteps>(&of)) {
        text = tr("peak within ") + basisText(*range, memorySteps(*run(), *range));
    } else if (const auto* seconds = std::get_if<double>(&of)) {
        const MemorySample* sample = sampleAt(*run(), 0, *seconds);
        text = run()->samplesWithinSteps()
                   ? tr("at %1").arg(spoken(units::seconds(*seconds)))
                   : tr("most within step %1").arg(sample ? sample->step : 0);
    }
    if (run()->isMemoryThinned())
        text += tr(" · old steps thinned out");
    return text;
}

void MemoryPanel::refreshCells()
{
    std::int64_t most = 0;
    for (std::size_t rank = 0; rank < run()->peakBytes().size(); ++rank)
        most = std::max(most, memoryBytes(*run(), rank, choice(), {}));
    m_grid->setScale(most);
    m_grid->setCells(memoryCells(*run(), choice(), when()));
    setBasis(basis());
    const auto* all = samples(run());
    const auto at = std::min(std::size_t(m_slider->value()), all->size() - 1);
    m_moment->setText(tr("step %1").arg((*all)[at].item.step));
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
    m_curves->setCapacity(run()->capacityOf(Rank(rank)));
    m_curvesTitle->setText(
        m_grid->selected() >= 0
            ? tr("rank %1 over time").arg(rank)
            : tr("rank %1, the fullest, over time. Choose another cell for its rank.").arg(rank));
}

} // namespace triaxis::ui
