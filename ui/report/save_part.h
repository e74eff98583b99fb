#pragma once

#include "engine/timeline/display_list.h"

#include <QString>

#include <functional>

class QAbstractItemModel;
class QAction;
class QWidget;

namespace triaxis::ui
{

/// A picture as it is shown, as PNG, SVG or PDF, light on white whatever the theme. Asks where to;
/// says so where it cannot be written.
void saveShownPicture(QWidget* parent, const QString& title, const QString& stem,
                      const std::function<DisplayList()>& draw);

/// A table as it is shown, as CSV, with the names of its rows and columns.
void saveShownTable(QWidget* parent, const QString& stem, const QAbstractItemModel& table);
std::string shownTableCsv(const QAbstractItemModel& table);

/// "Export view…" and "Export table as CSV…" for the menu of a widget.
QAction* savePictureAction(QWidget* widget, const QString& title, const QString& stem,
                           std::function<DisplayList()> draw);
QAction* saveTableAction(QWidget* widget, const QString& stem,
                         std::function<const QAbstractItemModel*()> table);

} // namespace triaxis::ui
