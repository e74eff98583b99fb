#include <QtTest>

#include "engine/record/demo_plan.h"
#include "tests/ui/support/own_settings.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"
#include "ui/timeline/key_commands.h"
#include "ui/window/appearance_menu.h"

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QSettings>

using namespace triaxis::ui;

class AppearanceMenuTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<triaxis::tests::OwnSettings> m_settings;
    std::unique_ptr<ThemeController> m_theme;
    std::unique_ptr<QWidget> m_window;
    std::unique_ptr<QMenu> m_menu;

    QAction* named(const char* menu, const QString& text) const
    {
        for (QAction* action : m_menu->findChild<QMenu*>(menu)->actions())
            if (action->text().remove('&') == text)
                return action;
        return nullptr;
    }
    QAction* command(const char* id) const { return m_window->findChild<QAction*>(id); }

private slots:
    void init()
    {
        m_settings = std::make_unique<triaxis::tests::OwnSettings>();
        m_theme = std::make_unique<ThemeController>(*qApp);
        m_window = std::make_unique<QWidget>();
        m_menu = std::make_unique<QMenu>();
        new AppearanceMenu(*m_menu, *m_theme, *m_window);
    }
    void cleanup()
    {
        m_theme->setTextScale(1);
        m_window.reset();
        m_menu.reset();
        m_theme.reset();
    }

    void aThemeIsShownAndKept()
    {
        named("themeMenu", "High contrast")->trigger();
        QCOMPARE(m_theme->choice(), ThemeChoice::HighContrast);
        QCOMPARE(QApplication::palette().color(QPalette::Window), highContrastTheme().window);
        QCOMPARE(QSettings().value("appearance/theme").toString(), QString("high-contrast"));
        m_theme->setChoice(ThemeChoice::Light); // by the settings, say
        QVERIFY(named("themeMenu", "Light")->isChecked());
        QVERIFY(!named("themeMenu", "High contrast")->isChecked());
    }

    void sizesGoUpAndDownAndStopAtTheEnds()
    {
        QVERIFY(!command("window.textSmaller")->isEnabled());
        for (const int pixels : {15, 18, 21, 24}) {
            command("window.textLarger")->trigger();
            QCOMPARE(fontOf(FontRole::Body).pixelSize(), pixels);
        }
        QVERIFY(!command("window.textLarger")->isEnabled());
        QVERIFY(named("textSizeMenu", "200 %")->isChecked());
        command("window.textSmaller")->trigger();
        QVERIFY(named("textSizeMenu", "175 %")->isChecked());
        command("window.textUsual")->trigger();
        QCOMPARE(m_theme->textScale(), 1.0);
        QCOMPARE(QSettings().value("appearance/textScale").toDouble(), 1.0);
    }

    void aSizeBetweenGoesToItsNeighbours()
    {
        m_theme->setTextScale(1.3);
        for (QAction* action : m_menu->findChild<QMenu*>("textSizeMenu")->actions())
            QVERIFY(!action->isChecked());
        command("window.textSmaller")->trigger();
        QCOMPARE(m_theme->textScale(), 1.25);
        m_theme->setTextScale(1.3);
        command("window.textLarger")->trigger();
        QCOMPARE(m_theme->textScale(), 1.5);
    }

    void itsKeysAreFree()
    {
        for (const char* id : {"window.textLarger", "window.textSmaller", "window.textUsual"})
            QVERIFY2(!conflictOf(id, keysOf(id)), id);
    }
};

QTEST_MAIN(AppearanceMenuTest)
#include "appearance_menu_test.moc"
