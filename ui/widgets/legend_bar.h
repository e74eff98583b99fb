#pragma once

#include "engine/timeline/display_list.h"

#include <QString>
#include <QWidget>

#include <vector>

namespace triaxis::ui
{

/// What the colours of a picture mean, in as many lines as it takes.
class LegendBar : public QWidget
{
    Q_OBJECT
public:
    struct Entry
    {
        Ink ink;
        QString name;
        double opacity = 1;       ///< of the ink over the background
        std::vector<Ink> strip{}; ///< along its bottom, from left to right
    };
    explicit LegendBar(std::vector<Entry> entries, QWidget* parent = nullptr);
    void setEntries(std::vector<Entry> entries);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    /// Where each entry is painted, from left to right and top to bottom.
    std::vector<QRectF> boxes(double width) const;

protected:
    void paintEvent(QPaintEvent*) override;
    void changeEvent(QEvent* event) override;

private:
    std::vector<Entry> m_entries;
};

} // namespace triaxis::ui
