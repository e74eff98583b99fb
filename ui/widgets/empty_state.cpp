#include "ui/widgets/empty_state.h"

#include "ui/theme/fonts.h"
#include "ui/widgets/icon_mark.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace triaxis::ui
{

EmptyState::EmptyState(const QString& icon, const QString& title, const QString& hint,
                       QWidget* parent)
    : QWidget(parent), m_title(new QLabel), m_hint(new QLabel), m_buttons(new QHBoxLayout)
{
    m_title->setProperty("role", "page");
    m_hint->setProperty("role", "muted");
    m_hint->setWordWrap(true);
    m_hint->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    m_hint->setFixedWidth(scaled(440));
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(10);
    layout->addStretch(2);
    layout->addWidget(new IconMark(icon, 44, IconMark::Ink::Faint), 0, Qt::AlignHCenter);
    layout->addSpacing(4);
    layout->addWidget(m_title, 0, Qt::AlignHCenter);
    auto* hintRow = new QHBoxLayout; // an aligned label would get the height of one line only
    hintRow->addStretch(1);
    hintRow->addWidget(m_hint);
    hintRow->addStretch(1);
    layout->addLayout(hintRow);
    layout->addSpacing(8);
    m_buttons->setSpacing(8);
    m_buttons->addStretch(1);
    m_buttons->addStretch(1);
    layout->addLayout(m_buttons);
    layout->addStretch(3);
    setTexts(title, hint);
}

void EmptyState::setTexts(const QString& title, const QString& hint)
{
    m_title->setText(title);
    m_hint->setText(hint);
    setAccessibleName(title);
    setAccessibleDescription(hint);
}

QPushButton* EmptyState::addButton(const QString& text, bool primary)
{
    auto* button = new QPushButton(text);
    if (primary)
        button->setProperty("look", "primary");
    m_buttons->insertWidget(m_buttons->count() - 1, button);
    return button;
}

} // namespace triaxis::ui
