#pragma once

#include <QString>
#include <QStringList>

#include <vector>

class QWidget;

namespace triaxis::ui
{

/// A key or gesture that a widget takes by itself, without an action. Told where it is handled, so
/// that the sheet of all keys can show it.
struct WidgetKey
{
    /// Keys in portable form ("Shift+Left"), or in words for gestures ("drag").
    QStringList keys;
    QString text; ///< "choose a divider"
    bool mouse = false;
};

/// Where actions and keys of a widget, and of all within it that say nothing else, stand on the
/// sheet of keys: "Plan: floor".
void setKeySection(QWidget* widget, const QString& section);
/// Of an action or widget: that of its nearest parent that has one; `otherwise` where none has.
QString keySectionOf(const QObject* object, const QString& otherwise);

void setWidgetKeys(QWidget* widget, const std::vector<WidgetKey>& keys);
std::vector<WidgetKey> widgetKeys(const QWidget* widget);

} // namespace triaxis::ui
