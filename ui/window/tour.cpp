#include "ui/window/tour.h"

#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/panel.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

constexpr int air = 6;  ///< between what is pointed at and the edge around it
constexpr int gap = 14; ///< between that and the card
constexpr int cardWidth = 320;

/// Scrolls every area that the widget lies in.
void bringIntoSight(QWidget* widget)
{
    for (QWidget* parent = widget->parentWidget(); parent; parent = parent->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(parent))
            area->ensureWidgetVisible(widget, air, air);
}

} // namespace

Tour::Tour(std::vector<TourStop> stops, QWidget* window)
    : QWidget(window), m_stops(std::move(stops)), m_before(QApplication::focusWidget()),
      m_card(new Panel(QString(), this)), m_title(new QLabel), m_text(new QLabel),
      m_count(new QLabel), m_back(new QPushButton(tr("Back"))), m_next(new QPushButton),
      m_skip(new QPushButton(tr("Skip")))
{
    setObjectName(QStringLiteral("tour"));
    setAccessibleName(tr("Tour"));
    setFocusPolicy(Qt::StrongFocus);
    buildCard();
    window->installEventFilter(this);
    for (QPushButton* button : {m_back, m_next, m_skip})
        button->installEventFilter(this);
    installEventFilter(this);
    setGeometry(window->rect());
    show();
    raise();
    goTo(0);
}

void Tour::buildCard()
{
    m_card->setObjectName(QStringLiteral("tourCard"));
    m_title->setObjectName(QStringLiteral("tourTitle"));
    m_title->setProperty("role", "page");
    m_text->setObjectName(QStringLiteral("tourText"));
    for (QLabel* label : {m_title, m_text})
        label->setWordWrap(true);
    m_count->setProperty("role", "small");
    m_back->setObjectName(QStringLiteral("tourBack"));
    m_next->setObjectName(QStringLiteral("tourNext"));
    m_next->setProperty("look", "primary");
    m_skip->setObjectName(QStringLiteral("tourSkip"));
    m_skip->setProperty("look", "plain");
    connect(m_back, &QPushButton::clicked, this, [this] { goTo(m_stop - 1); });
    connect(m_next, &QPushButton::clicked, this, [this] { goTo(m_stop + 1); });
    connect(m_skip, &QPushButton::clicked, this, &Tour::end);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_count);
    row->addStretch(1);
    row->addWidget(m_skip);
    row->addWidget(m_back);
    row->addWidget(m_next);
    auto* body = static_cast<Panel*>(m_card)->body();
    body->setSpacing(10);
    body->addWidget(m_title);
    body->addWidget(m_text);
    body->addLayout(row);
}

void Tour::goTo(int stop)
{
    if (stop >= int(m_stops.size())) {
        end();
        return;
    }
    m_stop = std::max(0, stop);
    const TourStop& shown = m_stops[std::size_t(m_stop)];
    m_target = shown.reach();
    if (m_target)
        bringIntoSight(m_target);
    const bool last = m_stop + 1 == int(m_stops.size());
    m_title->setText(shown.title);
    m_text->setText(shown.text);
    m_count->setText(tr("%1 of %2").arg(m_stop + 1).arg(m_stops.size()));
    m_back->setEnabled(m_stop > 0);
    m_next->setText(last ? tr("Done") : tr("Next"));
    m_skip->setVisible(!last);
    m_card->setAccessibleName(shown.title);
    m_card->setAccessibleDescription(shown.text);
    // What has the focus is what a screen reader says.
    m_next->setAccessibleDescription(shown.title + QStringLiteral(". ") + shown.text);
    raise();
    place();
    m_next->setFocus(Qt::OtherFocusReason);
}

void Tour::end()
{
    hide();
    window()->removeEventFilter(this);
    if (m_before)
        m_before->setFocus(Qt::OtherFocusReason);
    emit ended();
    deleteLater();
}

QRect Tour::hole() const
{
    if (!m_target || !m_target->isVisible())
        return {};
    // Clipped by what it scrolls in.
    QRect seen = m_target->rect();
    QPoint origin = m_target->mapTo(parentWidget(), QPoint());
    seen.translate(origin);
    for (QWidget* parent = m_target->parentWidget(); parent && parent != parentWidget();
         parent = parent->parentWidget())
        seen &= QRect(parent->mapTo(parentWidget(), QPoint()), parent->size());
    return seen.adjusted(-air, -air, air, air) & rect();
}

/// The card beside the hole where there is most room, within the window.
void Tour::place()
{
    setGeometry(parentWidget()->rect());
    const int width = std::min(scaled(cardWidth), std::max(1, this->width() - 2 * gap));
    m_card->setFixedWidth(width);
    m_card->ensurePolished();
    m_card->layout()->activate();
    const int height = std::max(m_card->heightForWidth(width), m_card->sizeHint().height());
    m_card->resize(width, height);
    const QRect around = hole();
    QPoint at((this->width() - width) / 2, (this->height() - height) / 2);
    if (!around.isEmpty()) {
        const int right = this->width() - around.right(), below = this->height() - around.bottom();
        if (right >= width + 2 * gap)
            at = {around.right() + gap, around.top()};
        else if (around.left() >= width + 2 * gap)
            at = {around.left() - gap - width, around.top()};
        else if (below >= height + 2 * gap)
            at = {around.left(), around.bottom() + gap};
        else if (around.top() >= height + 2 * gap)
            at = {around.left(), around.top() - gap - height};
        else // within it, at its end
            at = {around.right() - gap - width, around.bottom() - gap - height};
    }
    at.setX(std::clamp(at.x(), gap, std::max(gap, this->width() - width - gap)));
    at.setY(std::clamp(at.y(), gap, std::max(gap, this->height() - height - gap)));
    m_card->move(at);
    update();
}

void Tour::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(QGuiApplication::palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath shade;
    shade.addRect(rect());
    const QRectF around = QRectF(hole()).adjusted(0.5, 0.5, -0.5, -0.5);
    if (!around.isEmpty()) {
        QPainterPath lit;
        lit.addRoundedRect(around, 8, 8);
        shade -= lit;
    }
    QColor dim(Qt::black);
    dim.setAlphaF(theme.dark ? 0.6F : 0.4F);
    painter.fillPath(shade, dim);
    if (!around.isEmpty()) {
        painter.setPen(QPen(theme.accent, 2));
        painter.drawRoundedRect(around, 8, 8);
    }
}

void Tour::mousePressEvent(QMouseEvent* event)
{
    event->accept(); // what lies beneath waits
}

void Tour::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Escape:
        end();
        return;
    case Qt::Key_Right:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        goTo(m_stop + 1);
        return;
    case Qt::Key_Left:
        if (m_stop > 0)
            goTo(m_stop - 1);
        return;
    default:
        event->accept();
    }
}

bool Tour::eventFilter(QObject* watched, QEvent* event)
{
    const bool ours =
        watched == this || watched == m_back || watched == m_next || watched == m_skip;
    if (ours && event->type() == QEvent::ShortcutOverride) {
        event->accept(); // a key of the window, which would be acted on beneath the tour
        return true;
    }
    if (event->type() == QEvent::KeyPress && ours && watched != this) {
        auto* press = static_cast<QKeyEvent*>(event);
        const int key = press->key();
        const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
        if (enter) {
            static_cast<QPushButton*>(watched)->click();
            return true;
        }
        if (key == Qt::Key_Escape || key == Qt::Key_Left || key == Qt::Key_Right) {
            keyPressEvent(press);
            return true;
        }
        if (key == Qt::Key_Tab || key == Qt::Key_Backtab) {
            // Round the three buttons: the window behind is not reached.
            std::vector<QPushButton*> ring;
            for (QPushButton* button : {m_skip, m_back, m_next})
                if (button->isVisible() && button->isEnabled())
                    ring.push_back(button);
            const auto at = std::find(ring.begin(), ring.end(), watched) - ring.begin();
            const auto next = at + (key == Qt::Key_Tab ? 1 : std::ptrdiff_t(ring.size()) - 1);
            ring[std::size_t(next) % ring.size()]->setFocus(Qt::TabFocusReason);
            return true;
        }
    }
    if (watched == parentWidget() &&
        (event->type() == QEvent::Resize || event->type() == QEvent::FontChange ||
         event->type() == QEvent::LayoutRequest))
        place();
    return QWidget::eventFilter(watched, event);
}

} // namespace triaxis::ui
