#pragma once

#include <QObject>

#include <array>
#include <optional>

class QApplication;

namespace triaxis::ui
{

struct Theme;

enum class ThemeChoice { System, Light, Dark, HighContrast };
/// As the settings and the command line write it: "high-contrast".
QString toText(ThemeChoice choice);
std::optional<ThemeChoice> themeChoiceOf(const QString& name);

/// Text sizes that are offered, against a body of 12 pixels.
inline constexpr std::array<double, 5> textScales{1.0, 1.25, 1.5, 1.75, 2.0};

/// Puts theme and text size on the application and keeps them: an explicit choice, or the system's, also when that
/// changes while the window is open. Remembers the choice in the settings unless told otherwise.
class ThemeController : public QObject
{
    Q_OBJECT
public:
    explicit ThemeController(QApplication& application, QObject* parent = nullptr);

    ThemeChoice choice() const { return m_choice; }
    double textScale() const { return m_textScale; }
    bool isDark() const;
    /// What is shown now.
    const Theme& theme() const;

    void setChoice(ThemeChoice choice);
    /// 1.0 is a body of 12 pixels; 1.0 … 2.0.
    void setTextScale(double scale);
    void load();
    void save() const;

    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void changed();

private:
    void apply();
    bool systemIsDark();

    QApplication& m_application;
    ThemeChoice m_choice = ThemeChoice::System;
    double m_textScale = 1.0;
    bool m_systemDark = false;
    bool m_applying = false;
};

} // namespace triaxis::ui
