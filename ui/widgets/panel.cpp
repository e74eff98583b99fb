#include "ui/widgets/panel.h"

#include "ui/theme/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/elided_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPaintEvent>
#include <QPainter>
#include <QVBoxLayout>

namespace triaxis::ui
{

Panel::Panel(const QString& title, QWidget* parent)
    : QWidget(parent), m_title(new QLabel(title)), m_hint(new ElidedLabel),
      m_header(new QHBoxLayout), m_body(new QVBoxLayout(this))
{
    m_title->setProperty("role", "title");
    m_hint->setProperty("role", "small");
    m_hint->hide();
    m_header->setSpacing(8);
    m_header->addWidget(m_title);
    m_header->addStretch(1);
    m_header->addWidget(m_hint);
    m_body->setContentsMargins(14, 10, 14, 12);
    m_body->setSpacing(8);
    m_body->addLayout(m_header);
    setTitle(title);
}

void Panel::setTitle(const QString& title)
{
    m_title->setText(title);
    m_title->setVisible(!title.isEmpty());
    setAccessibleName(title);
}

void Panel::setHint(const QString& hint)
{
    m_hint->setText(hint);
    m_hint->setVisible(!hint.isEmpty());
}

void Panel::addLeading(QWidget* widget)
{
    m_header->insertWidget(0, widget);
}

void Panel::addHeaderWidget(QWidget* widget)
{
    m_header->addWidget(widget);
}

void Panel::setContent(QWidget* content)
{
    m_body->addWidget(content, 1);
}

void Panel::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    paintCard(painter, rect(), event->rect(), themeOf(palette()));
}

} // namespace triaxis::ui
