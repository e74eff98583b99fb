#include "ui/widgets/choice_box.h"

#include <QHelpEvent>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

constexpr int aroundText = 44; ///< edges, padding and the arrow

} // namespace

ChoiceBox::ChoiceBox(QWidget* parent) : QComboBox(parent)
{
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(6);
    setFocusPolicy(Qt::StrongFocus);
    const auto forget = [this] { m_longest = -1; };
    connect(model(), &QAbstractItemModel::rowsInserted, this, forget);
    connect(model(), &QAbstractItemModel::rowsRemoved, this, forget);
    connect(model(), &QAbstractItemModel::dataChanged, this, forget);
    connect(model(), &QAbstractItemModel::modelReset, this, forget);
}

void ChoiceBox::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        m_longest = -1;
    QComboBox::changeEvent(event);
}

int ChoiceBox::widthOfLongest() const
{
    if (m_longest < 0) {
        m_longest = 0;
        for (int i = 0; i < count(); ++i)
            m_longest = std::max(m_longest, fontMetrics().horizontalAdvance(itemText(i)));
    }
    return m_longest + aroundText;
}

int ChoiceBox::roomForText() const
{
    return width() - aroundText + 4;
}

void ChoiceBox::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    if (currentIndex() < 0)
        option.currentText = placeholderText();
    option.currentText =
        option.fontMetrics.elidedText(option.currentText, Qt::ElideRight, roomForText());
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

bool ChoiceBox::event(QEvent* event)
{
    const bool isCut = fontMetrics().horizontalAdvance(currentText()) > roomForText();
    if (event->type() != QEvent::ToolTip || !isCut)
        return QComboBox::event(event);
    const QString more = toolTip().isEmpty() ? QString() : QLatin1Char('\n') + toolTip();
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), currentText() + more, this);
    return true;
}

void ChoiceBox::wheelEvent(QWheelEvent* event)
{
    if (hasFocus())
        QComboBox::wheelEvent(event);
    else
        event->ignore();
}

} // namespace triaxis::ui
