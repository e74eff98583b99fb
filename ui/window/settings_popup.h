#pragma once

#include <QFrame>

class QComboBox;

namespace triaxis::ui
{

class ThemeController;

/// Appearance: theme and text size. A small window at the foot of the rail.
class SettingsPopup : public QFrame
{
    Q_OBJECT
public:
    explicit SettingsPopup(ThemeController& theme, QWidget* parent = nullptr);

    void popUp(const QPoint& bottomLeft);

signals:
    void keysRequested();

protected:
    void paintEvent(QPaintEvent*) override;

private:
    ThemeController& m_theme;
    QComboBox* m_choice;
    QComboBox* m_scale;
};

} // namespace triaxis::ui
