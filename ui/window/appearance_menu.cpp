#include "ui/window/appearance_menu.h"

#include "ui/timeline/key_commands.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>

#include <cmath>

namespace triaxis::ui
{
namespace
{

bool same(double first, double second)
{
    return std::abs(first - second) < 0.005;
}

} // namespace

QString textScaleName(double scale)
{
    return AppearanceMenu::tr("%1 %").arg(std::lround(scale * 100));
}

AppearanceMenu::AppearanceMenu(QMenu& menu, ThemeController& theme, QWidget& window)
    : QObject(&window), m_theme(theme), m_themes(new QActionGroup(this)),
      m_scales(new QActionGroup(this))
{
    addThemes(menu);
    addScales(menu, window);
    connect(&theme, &ThemeController::changed, this, &AppearanceMenu::showCurrent);
    showCurrent();
}

void AppearanceMenu::addThemes(QMenu& menu)
{
    QMenu* themes = menu.addMenu(tr("&Theme"));
    themes->setObjectName(QStringLiteral("themeMenu"));
    const std::pair<ThemeChoice, QString> choices[] = {
        {ThemeChoice::System, tr("As the &system")},
        {ThemeChoice::Light, tr("&Light")},
        {ThemeChoice::Dark, tr("&Dark")},
        {ThemeChoice::HighContrast, tr("&High contrast")}};
    for (const auto& [choice, name] : choices) {
        QAction* action = m_themes->addAction(name);
        action->setCheckable(true);
        action->setData(int(choice));
        themes->addAction(action);
        connect(action, &QAction::triggered, this, [this, choice = choice] {
            m_theme.setChoice(choice);
            m_theme.save();
        });
    }
}

void AppearanceMenu::addScales(QMenu& menu, QWidget& window)
{
    QMenu* scales = menu.addMenu(tr("Text si&ze"));
    scales->setObjectName(QStringLiteral("textSizeMenu"));
    for (const double scale : textScales) {
        QAction* action = m_scales->addAction(textScaleName(scale));
        action->setCheckable(true);
        action->setData(scale);
        scales->addAction(action);
        connect(action, &QAction::triggered, this, [this, scale] { choose(scale); });
    }
    scales->addSeparator();
    const auto command = [&](const char* id, auto act) {
        QAction* action = makeCommand(QLatin1String(id), this);
        connect(action, &QAction::triggered, this, act);
        scales->addAction(action);
        window.addAction(action);
        return action;
    };
    m_larger = command("window.textLarger", [this] { step(1); });
    m_smaller = command("window.textSmaller", [this] { step(-1); });
    command("window.textUsual", [this] { choose(1); });
}

void AppearanceMenu::choose(double scale)
{
    m_theme.setTextScale(scale);
    m_theme.save();
}

void AppearanceMenu::step(int direction)
{
    const double now = m_theme.textScale();
    double next = now;
    for (const double scale : textScales) {
        if (direction > 0 && scale > now && !same(scale, now)) {
            next = scale;
            break;
        }
        if (direction < 0 && scale < now && !same(scale, now))
            next = scale;
    }
    choose(next);
}

void AppearanceMenu::showCurrent()
{
    for (QAction* action : m_themes->actions())
        action->setChecked(action->data().toInt() == int(m_theme.choice()));
    // A size between those that are offered, as the command line can give it, marks none.
    m_scales->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
    for (QAction* action : m_scales->actions())
        action->setChecked(same(action->data().toDouble(), m_theme.textScale()));
    m_larger->setEnabled(m_theme.textScale() < textScales.back() - 0.005);
    m_smaller->setEnabled(m_theme.textScale() > textScales.front() + 0.005);
}

} // namespace triaxis::ui
