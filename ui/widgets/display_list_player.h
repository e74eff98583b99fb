#pragma once

#include "engine/timeline/display_list.h"

#include <QHash>
#include <QPixmap>
#include <QStaticText>

class QPainter;

namespace triaxis::ui
{

/// Plays a display list with a QPainter. Labels are laid out once and kept, since text is dearer than rectangles.
class DisplayListPlayer
{
public:
    void play(QPainter& painter, const DisplayList& list, const Palette& palette);

private:
    struct Label
    {
        QStaticText text;
        QSizeF size;
    };
    const Label& label(const DrawText& item, const QFont& font);
    void fill(QPainter& painter, const FillRect& item, const Palette& palette);
    void write(QPainter& painter, const DrawText& item, const Palette& palette);
    QPixmap hatch(const QColor& background, const QColor& stripe, double ratio);

    QHash<QString, Label> m_labels;
    QHash<quint64, QPixmap> m_hatches;
    QString m_family;
};

} // namespace triaxis::ui
