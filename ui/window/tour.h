#pragma once

#include <QPointer>
#include <QRect>
#include <QWidget>

#include <functional>
#include <vector>

class QLabel;
class QPushButton;

namespace triaxis::ui
{

/// A stop of a tour: what is pointed at, and what it is for.
struct TourStop
{
    QString title;
    QString text;
    /// Brings it into sight. Null: nothing is pointed at.
    std::function<QWidget*()> reach;
};

/// Lies over a window and leads from stop to stop: all but what is pointed at is dimmed. Next, Back
/// and Skip by mouse, Enter, arrows and Esc; the keys of the window wait meanwhile. Deletes itself
/// at the end and gives the focus back.
class Tour : public QWidget
{
    Q_OBJECT
public:
    Tour(std::vector<TourStop> stops, QWidget* window);

    int stop() const { return m_stop; }
    QWidget* target() const { return m_target; }
    /// In the coordinates of the window; empty where nothing is pointed at.
    QRect hole() const;
    QWidget* card() const { return m_card; }

signals:
    void ended();

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildCard();
    void goTo(int stop);
    void end();
    void place();

    std::vector<TourStop> m_stops;
    int m_stop = -1;
    QPointer<QWidget> m_target;
    QPointer<QWidget> m_before; ///< what had the focus
    QWidget* m_card;
    QLabel* m_title;
    QLabel* m_text;
    QLabel* m_count;
    QPushButton* m_back;
    QPushButton* m_next;
    QPushButton* m_skip;
};

} // namespace triaxis::ui
