#include "ui/widgets/banner.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/icon_mark.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QResizeEvent>
#include <QToolButton>
#include <QVBoxLayout>

namespace triaxis::ui
{
namespace
{

QColor colourOf(Banner::Kind kind, const Theme& theme)
{
    switch (kind) {
    case Banner::Kind::Note:
        return theme.accent;
    case Banner::Kind::Good:
        return theme.good;
    case Banner::Kind::Problem:
        return theme.danger;
    }
    return theme.accent;
}

/// Whoever wrote it.
QString sentence(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

} // namespace

Banner::Banner(QWidget* parent)
    : QWidget(parent), m_icon(new IconMark(QStringLiteral("note"), 18, IconMark::Ink::Accent)),
      m_title(new QLabel), m_detail(new QLabel), m_action(new QPushButton),
      m_close(new QToolButton)
{
    setObjectName(QStringLiteral("banner"));
    m_title->setProperty("role", "title");
    m_title->setTextFormat(Qt::PlainText);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_title->setWordWrap(true);
    m_detail->setProperty("role", "muted");
    m_detail->setTextFormat(Qt::PlainText);
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_detail->setWordWrap(true);
    m_close->setText(QStringLiteral("✕"));
    m_close->setAccessibleName(tr("Close this message"));
    m_close->setToolTip(tr("Close this message"));
    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    texts->addWidget(m_title);
    texts->addWidget(m_detail);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 9, 8, 9);
    layout->setSpacing(10);
    layout->addWidget(m_icon, 0, Qt::AlignTop);
    layout->addLayout(texts, 1);
    layout->addWidget(m_action, 0, Qt::AlignVCenter);
    layout->addWidget(m_close, 0, Qt::AlignTop);
    connect(m_close, &QToolButton::clicked, this, &Banner::dismiss);
    connect(m_action, &QPushButton::clicked, this, &Banner::actionTriggered);
    hide();
}

void Banner::say(Kind kind, const QString& title, const QString& detail, const QString& action)
{
    m_kind = kind;
    switch (kind) {
    case Kind::Note:
        m_icon->setIcon(QStringLiteral("note"), IconMark::Ink::Accent);
        break;
    case Kind::Good:
        m_icon->setIcon(QStringLiteral("good"), IconMark::Ink::Good);
        break;
    case Kind::Problem:
        m_icon->setIcon(QStringLiteral("problem"), IconMark::Ink::Danger);
        break;
    }
    m_title->setText(sentence(title));
    m_detail->setText(sentence(detail));
    m_detail->setVisible(!detail.isEmpty());
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
    setAccessibleName(detail.isEmpty() ? title : title + QStringLiteral(": ") + detail);
    show();
    update();
}

void Banner::dismiss()
{
    hide();
}

QString Banner::title() const
{
    return m_title->text();
}

QSize Banner::sizeHint() const
{
    const QSize hint = QWidget::sizeHint();
    const int tall = layout()->hasHeightForWidth() ? layout()->heightForWidth(width()) : 0;
    return {hint.width(), tall > 0 ? tall : hint.height()};
}

void Banner::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        updateGeometry();
}

void Banner::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(palette());
    const QColor colour = colourOf(m_kind, theme);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(mixed(theme.panel, colour, 0.45), 1));
    painter.setBrush(mixed(theme.panel, colour, theme.dark ? 0.12 : 0.06));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
}

} // namespace triaxis::ui
