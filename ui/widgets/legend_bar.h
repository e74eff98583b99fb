#pragma once

#include "engine/timeline/display_list.h"

#include <QString>
#include <QWidget>

#include <vector>

namespace triaxis::ui
{

/// What the colours of a picture mean, in one line.
class LegendBar : public QWidget
{
    Q_OBJECT
public:
    struct Entry
    {
        Ink ink;
        QString name;
    };
    explicit LegendBar(std::vector<Entry> entries, QWidget* parent = nullptr);
    void setEntries(std::vector<Entry> entries);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent*) override;

private:
    std::vector<Entry> m_entries;
};

} // namespace triaxis::ui
