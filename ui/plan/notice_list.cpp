#include "ui/plan/notice_list.h"

#include "ui/base/text.h"
#include "ui/theme/theme.h"
#include "ui/base/language.h"

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
    QString result = spoken(text);
    if (!result.isEmpty())
        result[0] = result[0].toUpper();
    return result;
}

} // namespace

NoticeCard::NoticeCard(QWidget* parent)
    : QWidget(parent), m_row(new QHBoxLayout(this)), m_texts(new QVBoxLayout), m_title(new QLabel),
      m_detail(new QLabel)
{
    setObjectName(QStringLiteral("notice"));
    m_title->setProperty("role", "title");
    m_title->setWordWrap(true);
    m_detail->setProperty("role", "small");
    m_detail->setWordWrap(true);
    m_texts->setSpacing(3);
    m_texts->addWidget(m_title);
    m_texts->addWidget(m_detail);
    m_row->setContentsMargins(14, 9, 10, 9);
    m_row->setSpacing(8);
    m_row->addLayout(m_texts, 1);
}

void NoticeCard::say(Weight weight, const QString& title, const QString& detail, const QString& why)
{
    if (weight != m_weight)
        update();
    m_weight = weight;
    setAccessibleName(title);
    setAccessibleDescription(detail);
    setToolTip(why);
    m_title->setText(title);
    m_detail->setText(detail);
    m_detail->setVisible(!detail.isEmpty());
}

void NoticeCard::setMends(std::vector<DrawnMend> mends)
{
    constexpr std::size_t mostMends = 3;
    // The one beside the text says "Mend", others what they change.
    const bool named = mends.size() > 1;
    if (mends.size() > mostMends)
        mends.resize(mostMends);
    const bool same =
        std::equal(mends.begin(), mends.end(), m_mends.begin(), m_mends.end(),
                   [](const DrawnMend& a, const DrawnMend& b) { return a.change == b.change; });
    m_mends = std::move(mends);
    if (!same)
        buildButtons(named);
}

void NoticeCard::buildButtons(bool named)
{
    for (QPushButton* button : m_buttons) {
        button->hide();
        button->deleteLater();
    }
    m_buttons.clear();
    for (std::size_t i = 0; i < m_mends.size(); ++i) {
        const QString& change = m_mends[i].change;
        auto* button = new QPushButton(named ? change : tr("Mend"));
        button->setProperty("look", "mend");
        button->setToolTip(change);
        button->setAccessibleDescription(change);
        if (named)
            m_texts->addWidget(button, 0, Qt::AlignLeft);
        else
            m_row->addWidget(button, 0, Qt::AlignVCenter);
        connect(button, &QPushButton::clicked, this, [this, i] {
            const DrawnMend mend = m_mends[i]; // what it changes may change this card
            emit mendRequested(mend);
        });
        m_buttons.push_back(button);
    }
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

NoticeList::NoticeList(QWidget* parent) : QWidget(parent), m_layout(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("notices"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(8);
    m_layout->addStretch(1);
}

NoticeCard* NoticeList::card(std::size_t index)
{
    if (index < m_cards.size())
        return m_cards[index];
    auto* made = new NoticeCard;
    m_layout->insertWidget(int(index), made);
    connect(made, &NoticeCard::mendRequested, this, &NoticeList::mendRequested);
    m_cards.push_back(made);
    return made;
}

void NoticeList::dropCards(std::size_t kept)
{
    while (m_cards.size() > kept) {
        m_layout->removeWidget(m_cards.back());
        m_cards.back()->hide();
        m_cards.back()->deleteLater();
        m_cards.pop_back();
    }
}

void NoticeList::setNotices(std::vector<PlanFinding> notices, const QString& title, const QString& fine)
{
    std::stable_sort(notices.begin(), notices.end(), [](const PlanFinding& a, const PlanFinding& b) {
        return a.finding.severity > b.finding.severity;
    });
    const bool calm = std::none_of(notices.begin(), notices.end(), [](const PlanFinding& notice) {
        return notice.finding.severity != Severity::Note;
    });
    std::size_t shown = 0;
    if (calm) {
        card(shown)->say(NoticeCard::Weight::Good, title, fine, {});
        card(shown++)->setMends({});
    }
    for (PlanFinding& notice : notices) {
        const Diagnostic& finding = notice.finding;
        const bool note = finding.severity == Severity::Note;
        card(shown)->say(weightOf(finding.severity), capitalised(finding.what),
                         capitalised(note || finding.mend.empty() ? finding.why : finding.mend),
                         capitalised(finding.why));
        card(shown++)->setMends(std::move(notice.mends));
    }
    dropCards(shown);
}

} // namespace triaxis::ui
