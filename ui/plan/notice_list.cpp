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
    : QWidget(parent), m_weight(weight), m_row(new QHBoxLayout(this)), m_texts(new QVBoxLayout)
{
    setObjectName(QStringLiteral("notice"));
    setAccessibleName(title);
    setAccessibleDescription(detail);
    auto* heading = new QLabel(title);
    heading->setProperty("role", "title");
    heading->setWordWrap(true);
    m_texts->setSpacing(3);
    m_texts->addWidget(heading);
    if (!detail.isEmpty()) {
        auto* body = new QLabel(detail);
        body->setProperty("role", "small");
        body->setWordWrap(true);
        m_texts->addWidget(body);
    }
    m_row->setContentsMargins(14, 9, 10, 9);
    m_row->setSpacing(8);
    m_row->addLayout(m_texts, 1);
}

QPushButton* NoticeCard::addMend(const QString& change, bool named)
{
    auto* button = new QPushButton(named ? change : QStringLiteral("Mend"));
    button->setProperty("look", "mend");
    button->setToolTip(change);
    button->setAccessibleDescription(change);
    if (named) // one of several, below the text
        m_texts->addWidget(button, 0, Qt::AlignLeft);
    else
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

void NoticeList::setNotices(std::vector<Notice> notices, const QString& title, const QString& fine)
{
    std::stable_sort(notices.begin(), notices.end(), [](const Notice& a, const Notice& b) {
        return a.finding.severity > b.finding.severity;
    });
    QString shown = title + fine;
    for (const Notice& notice : notices) {
        shown += toQString(toText(notice.finding) + notice.finding.why);
        for (const DrawnMend& mend : notice.mends)
            shown += mend.change;
    }
    if (shown == m_shown && m_cards->count() > 0)
        return;
    m_shown = shown;
    clear();
    const bool calm = std::none_of(notices.begin(), notices.end(), [](const Notice& notice) {
        return notice.finding.severity != Severity::Note;
    });
    if (calm)
        m_cards->addWidget(new NoticeCard(NoticeCard::Weight::Good, title, fine));
    for (const Notice& notice : notices)
        add(notice);
    m_cards->addStretch(1);
}

void NoticeList::add(const Notice& notice)
{
    constexpr std::size_t mostMends = 3;
    const Diagnostic& finding = notice.finding;
    const bool note = finding.severity == Severity::Note;
    QString detail = capitalised(note || finding.mend.empty() ? finding.why : finding.mend);
    auto* card = new NoticeCard(weightOf(finding.severity), capitalised(finding.what), detail);
    card->setToolTip(capitalised(finding.why));
    m_cards->addWidget(card);
    for (std::size_t i = 0; i < std::min(mostMends, notice.mends.size()); ++i) {
        const DrawnMend& mend = notice.mends[i];
        const QPushButton* button = card->addMend(mend.change, notice.mends.size() > 1);
        connect(button, &QPushButton::clicked, this,
                [this, change = mend] { emit mendRequested(change); });
    }
}

} // namespace triaxis::ui
