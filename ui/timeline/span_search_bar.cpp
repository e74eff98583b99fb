#include "ui/timeline/span_search_bar.h"

#include "engine/timeline/span_search.h"
#include "ui/base/text.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/lane_view.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>

namespace triaxis::ui
{
namespace
{

constexpr std::size_t mostCounted = 10000;

} // namespace

SpanSearchBar::SpanSearchBar(LaneView& view, QWidget* parent)
    : QWidget(parent), m_view(view), m_edit(new QLineEdit), m_count(new QLabel)
{
    m_edit->setObjectName(QStringLiteral("spanSearch"));
    m_edit->setAccessibleName(tr("Search spans"));
    m_edit->setPlaceholderText(
        tr("backward #5 rank 3   (names, #microbatch, rank, step, pp, tp, dp)"));
    m_count->setProperty("role", "small");
    auto* previous = new IconButton(QStringLiteral("chevron-up-deep"), tr("Previous match"));
    auto* next = new IconButton(QStringLiteral("chevron-down-deep"), tr("Next match"));
    auto* close = new IconButton(QStringLiteral("close"), tr("Close the search"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 2);
    layout->setSpacing(6);
    layout->addWidget(m_edit, 1);
    layout->addWidget(m_count);
    for (QToolButton* button : {static_cast<QToolButton*>(previous),
                                static_cast<QToolButton*>(next), static_cast<QToolButton*>(close)})
        layout->addWidget(button);
    hide();
    connect(previous, &QToolButton::clicked, this, [this] { searchOn(false); });
    connect(next, &QToolButton::clicked, this, [this] { searchOn(true); });
    connect(m_edit, &QLineEdit::returnPressed, this, [this] { searchOn(true); });
    connect(m_edit, &QLineEdit::textChanged, this, &SpanSearchBar::refreshCount);
    connect(close, &QToolButton::clicked, this, &SpanSearchBar::close);
    auto* escape = new QAction(m_edit);
    escape->setShortcut(Qt::Key_Escape);
    escape->setShortcutContext(Qt::WidgetShortcut);
    m_edit->addAction(escape);
    connect(escape, &QAction::triggered, this, &SpanSearchBar::close);
}

void SpanSearchBar::close()
{
    hide();
    m_view.setFocus();
}

void SpanSearchBar::open()
{
    show();
    m_edit->setFocus();
    m_edit->selectAll();
    refreshCount();
}

void SpanSearchBar::search(const QString& text)
{
    show();
    m_edit->setText(text);
    searchOn(true);
}

void SpanSearchBar::searchOn(bool forward)
{
    if (!m_view.lanes())
        return;
    if (m_edit->text().trimmed().isEmpty()) {
        open();
        return;
    }
    const SpanQuery query = parseSpanQuery(m_edit->text().toStdString());
    auto from = m_view.focusedSpan();
    if (from && from->stream >= 0)
        from.reset();
    const double time = forward ? m_view.window().from : m_view.window().to;
    if (const auto found = findNext(*m_view.lanes(), query, from, time, forward))
        m_view.focusSpan(*found);
}

void SpanSearchBar::refreshCount()
{
    if (isHidden())
        return;
    const SpanQuery query = parseSpanQuery(m_edit->text().toStdString());
    if (query.empty() || !m_view.lanes()) {
        m_count->setText({});
        return;
    }
    const std::size_t count = countMatches(*m_view.lanes(), query, mostCounted);
    m_count->setText(count == mostCounted ? tr("%1 matches and more").arg(wholeNumber(mostCounted))
                     : count == 0         ? tr("no match")
                     : count == 1         ? tr("1 match")
                                          : wholeNumber(std::int64_t(count)) + tr(" matches"));
}

} // namespace triaxis::ui
