#include "ui/plan/notice_list.h"

#include "ui/base/text.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

QColor colourOf(NoticeCard::Weight weight, const Theme& theme)
{
    switch (weight) {
    case NoticeCard::Weight::Good:
        return theme.good;
    case NoticeCard::Weight::Note:
        return theme.accent;
    case NoticeCard::Weight::Warning:
        return theme.warning;
    case NoticeCard::Weight::Error:
        return theme.danger;
    }
    return theme.accent;
}

NoticeCard::Weight weightOf(Severity severity)
{
    switch (severity) {
    case Severity::Note:
        return NoticeCard::Weight::Note;
    case Severity::Warning:
        return NoticeCard::Weight::Warning;
    case Severity::Error:
        return NoticeCard::Weight::Error;
    }
    return NoticeCard::Weight::Note;
}

QString capitalised(const std::string& text)
{
    QString result = toQString(text);
    if (!result.isEmpty())
        result[0] = result[0].toUpper();
    return result;
}

} // namespace

NoticeCard::NoticeCard(Weight weight, const QString& title, const QString& detail, QWidget* parent)
    : QWidget(parent), m_weight(weight), m_row(new QHBoxLayout(this))
{
    setObjectName(QStringLiteral("notice"));
    setAccessibleName(title);
    setAccessibleDescription(detail);
    auto* heading = new QLabel(title);
    heading->setProperty("role", "title");
    heading->setWordWrap(true);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(3);
    texts->addWidget(heading);
    if (!detail.isEmpty()) {
        auto* body = new QLabel(detail);
        body->setProperty("role", "small");
        body->setWordWrap(true);
        texts->addWidget(body);
    }
    m_row->setContentsMargins(14, 9, 10, 9);
    m_row->setSpacing(8);
    m_row->addLayout(texts, 1);
}

QPushButton* NoticeCard::addMend(const QString& change)
{
    auto* button = new QPushButton(QStringLiteral("Mend"));
    button->setProperty("look", "mend");
    button->setToolTip(change);
    button->setAccessibleDescription(change);
    m_row->addWidget(button, 0, Qt::AlignVCenter);
    return button;
}

void NoticeCard::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(QPen(theme.line, 1));
    painter.setBrush(theme.raised);
    painter.drawRoundedRect(box, 5, 5);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colourOf(m_weight, theme));
    painter.drawRoundedRect(QRectF(0, 0, 4, height()), 2, 2);
}

NoticeList::NoticeList(QWidget* parent) : QWidget(parent), m_cards(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("notices"));
    m_cards->setContentsMargins(0, 0, 0, 0);
    m_cards->setSpacing(8);
}

void NoticeList::clear()
{
    while (QLayoutItem* item = m_cards->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
}

void NoticeList::setFindings(const RunPlan& plan, const std::vector<Diagnostic>& findings,
                             const QString& fine)
{
    clear();
    std::vector<Diagnostic> ordered = findings;
    std::stable_sort(ordered.begin(), ordered.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return a.severity > b.severity;
    });
    const bool calm = std::none_of(ordered.begin(), ordered.end(), [](const Diagnostic& finding) {
        return finding.severity != Severity::Note;
    });
    if (calm)
        m_cards->addWidget(
            new NoticeCard(NoticeCard::Weight::Good, QStringLiteral("This plan can run"), fine));
    for (const Diagnostic& finding : ordered)
        add(plan, finding);
    m_cards->addStretch(1);
}

void NoticeList::add(const RunPlan& plan, const Diagnostic& finding)
{
    const bool note = finding.severity == Severity::Note;
    QString detail = capitalised(note || finding.mend.empty() ? finding.why : finding.mend);
    auto* card = new NoticeCard(weightOf(finding.severity), capitalised(finding.what), detail);
    card->setToolTip(capitalised(finding.why));
    m_cards->addWidget(card);
    if (const auto mend = findMend(plan, finding)) {
        const QPushButton* button = card->addMend(mend->change);
        connect(button, &QPushButton::clicked, this,
                [this, change = *mend] { emit mendRequested(change); });
    }
}

} // namespace triaxis::ui
