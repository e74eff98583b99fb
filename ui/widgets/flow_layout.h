#pragma once

#include <QLayout>

namespace triaxis::ui
{

/// Items one after the other, in as many lines as they need.
class FlowLayout : public QLayout
{
public:
    explicit FlowLayout(int spacing, QWidget* parent = nullptr);
    ~FlowLayout() override;

    void insertWidget(int index, QWidget* widget);

    void addItem(QLayoutItem* item) override;
    int count() const override { return int(m_items.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    /// Returns the height; `place`: also moves the items.
    int lay(const QRect& rect, bool place) const;

    QList<QLayoutItem*> m_items;
};

} // namespace triaxis::ui
