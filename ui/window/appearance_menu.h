#pragma once

#include "ui/theme/theme_controller.h"

#include <QObject>

class QAction;
class QActionGroup;
class QMenu;
class QWidget;

namespace triaxis::ui
{

/// "125 %".
QString textScaleName(double scale);

/// Theme and text size in a menu, with their keys in the whole window. Whatever is chosen is kept.
class AppearanceMenu : public QObject
{
    Q_OBJECT
public:
    /// Ends with `window`.
    AppearanceMenu(QMenu& menu, ThemeController& theme, QWidget& window);

private:
    void addThemes(QMenu& menu);
    void addScales(QMenu& menu, QWidget& window);
    void choose(double scale);
    /// To the next size that is offered in this direction.
    void step(int direction);
    void showCurrent();

    ThemeController& m_theme;
    QActionGroup* m_themes;
    QActionGroup* m_scales;
    QAction* m_larger = nullptr;
    QAction* m_smaller = nullptr;
};

} // namespace triaxis::ui
