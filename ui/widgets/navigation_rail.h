#pragma once

#include <QString>
#include <QWidget>

#include <vector>

namespace triaxis::ui
{

/// The column of pages at the left edge, settings at its foot. Tab reaches it, arrows and Enter choose.
class NavigationRail : public QWidget
{
    Q_OBJECT
public:
    explicit NavigationRail(QWidget* parent = nullptr);

    void addPage(const QString& icon, const QString& name, const QString& hint);
    /// Entry at the foot that opens something instead of a page.
    void setFoot(const QString& icon, const QString& name);
    int current() const { return m_current; }
    void setCurrent(int index);
    /// A dot beside a page: something is going on there.
    void setActive(int index, bool active);

    QSize sizeHint() const override;

signals:
    void pageChosen(int index);
    void footChosen();

protected:
    void paintEvent(QPaintEvent*) override;
    bool event(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    struct Entry
    {
        QString icon;
        QString name;
        QString hint;
        bool active = false;
    };
    int foot() const { return int(m_entries.size()); }
    QRectF box(int index) const;
    int entryAt(const QPointF& position) const;
    void choose(int index);

    std::vector<Entry> m_entries;
    Entry m_foot;
    int m_current = 0;
    int m_hovered = -1;
    int m_focused = 0;
    bool m_focusVisible = false; ///< reached by keyboard, not by chance
};

} // namespace triaxis::ui
