#pragma once

#include <QFrame>

class QComboBox;
class QLabel;

namespace triaxis::ui
{

class ThemeController;

/// Appearance: theme, text size and language. A small window at the foot of the rail.
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
    void showLanguage();

    ThemeController& m_theme;
    QComboBox* m_choice;
    QComboBox* m_scale;
    QComboBox* m_language;
    QLabel* m_later;
};

} // namespace triaxis::ui
