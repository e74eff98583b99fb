#pragma once

#include "engine/timeline/display_list.h"

#include <QFont>
#include <QHash>
#include <QPixmap>
#include <QStaticText>

#include <optional>
#include <string>
#include <unordered_map>

class QPainter;

namespace triaxis::ui
{

class BoxFiller;

/// Plays a display list with a QPainter. Labels are laid out once and kept, since text is dearer than rectangles; rectangles go
/// straight into the image where the painter paints on one.
class DisplayListPlayer
{
public:
    /// `visible`, in the list's coordinates: what lies outside may be left out. Null: everything is played.
    void play(QPainter& painter, const DisplayList& list, const Palette& palette, const QRectF& visible = {});

private:
    struct Label
    {
        QStaticText text;
        QSizeF size;
    };
    struct Hatch
    {
        QPixmap pixmap;
        QImage image;
    };
    /// What the painter is set to, since setting it costs as much as a word.
    struct Pen
    {
        int font = 0;
        std::optional<std::uint32_t> colour;
    };
    const QFont& fontFor(int key);
    const Label& label(const DrawText& item, int font);
    void fill(QPainter& painter, Pen& pen, BoxFiller* filler, const FillRect& item, const Palette& palette);
    void write(QPainter& painter, Pen& pen, const DrawText& item, const Palette& palette);
    const Hatch& hatch(const QColor& background, const QColor& stripe, double ratio);

    std::unordered_map<std::string, Label> m_labels;
    std::unordered_map<int, QFont> m_fonts; ///< by size and weight
    QHash<quint64, Hatch> m_hatches;
    QString m_family;
};

} // namespace triaxis::ui
