#include "tests/ui/support/own_settings.h"
#include "ui/theme/fonts.h"
#include "ui/theme/style_sheet.h"
#include "ui/theme/theme.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <QWidget>

using namespace triaxis;
using namespace triaxis::ui;

class ThemeTest : public QObject
{
    Q_OBJECT

private:
    static QByteArray name(const Theme& theme)
    {
        return theme.highContrast ? "high contrast" : theme.dark ? "dark" : "light";
    }

private slots:
    void textCanBeReadOnEveryBackground()
    {
        for (const Theme* theme : allThemes()) {
            for (const QColor& back : {theme->window, theme->rail, theme->panel, theme->raised,
                                       theme->field, theme->hover}) {
                for (const QColor& ink : {theme->text, theme->muted})
                    QVERIFY2(contrast(ink, back) >= 4.5, name(*theme) + " " + ink.name().toUtf8() +
                                                             " on " + back.name().toUtf8());
            }
        }
    }

    void colouredTextCanBeReadOnPanels()
    {
        for (const Theme* theme : allThemes()) {
            for (const QColor& ink : {theme->accent, theme->danger, theme->warning, theme->good,
                                      theme->data, theme->tensor, theme->pipeline})
                QVERIFY2(contrast(ink, theme->panel) >= 4.5,
                         name(*theme) + " " + ink.name().toUtf8());
            QVERIFY(contrast(theme->onAccent, theme->accent) >= 4.5);
            QVERIFY(contrast(theme->onDanger, theme->danger) >= 4.5);
            QVERIFY(contrast(theme->accent, theme->accentSoft) >= 4.5);
            QVERIFY(contrast(theme->text, theme->accentSoft) >= 4.5);
        }
    }

    void labelsCanBeReadOnEveryPaintedColour()
    {
        for (const Theme* theme : allThemes()) {
            for (const QColor& stage : theme->stages) {
                QVERIFY2(contrast(labelOn(stage), stage) >= 4.5, stage.name().toUtf8());
                const QColor pale = mixed(theme->panel, stage, 0.4);
                QVERIFY2(contrast(labelOn(pale), pale) >= 4.5, pale.name().toUtf8());
            }
            for (int percent = 0; percent <= 100; ++percent) {
                const QColor heat = theme->heat(percent / 100.0);
                QVERIFY2(contrast(labelOn(heat), heat) >= 4.5, heat.name().toUtf8());
            }
            for (int ink = 0; ink < inkCount; ++ink) {
                const QColor colour = theme->ink(Ink(ink));
                QVERIFY2(contrast(labelOn(colour), colour) >= 4.5, colour.name().toUtf8());
            }
        }
    }

    void highContrastIsHigher()
    {
        const Theme& theme = highContrastTheme();
        const std::vector<QColor> backs{theme.window, theme.rail, theme.panel, theme.raised,
                                        theme.field};
        std::vector<QColor> texts{theme.text,   theme.muted,   theme.accent,
                                  theme.danger, theme.warning, theme.good,
                                  theme.data,   theme.tensor,  theme.pipeline};
        for (const QColor& back : backs)
            for (const QColor& ink : texts)
                QVERIFY2(contrast(ink, back) >= 7,
                         ink.name().toUtf8() + " on " + back.name().toUtf8());
        for (const QColor& back : {theme.hover, theme.accentSoft})
            for (const QColor& ink : {theme.text, theme.muted, theme.accent})
                QVERIFY2(contrast(ink, back) >= 7,
                         ink.name().toUtf8() + " on " + back.name().toUtf8());
        QVERIFY(contrast(theme.onAccent, theme.accent) >= 7);
        QVERIFY(contrast(theme.onDanger, theme.danger) >= 7);

        std::vector<QColor> marks{theme.line, theme.faint, theme.bubble};
        marks.insert(marks.end(), theme.stages.begin(), theme.stages.end());
        marks.insert(marks.end(), theme.memory.begin(), theme.memory.end());
        for (int ink = 0; ink < inkCount; ++ink)
            if (Ink(ink) != Ink::Idle && Ink(ink) != Ink::Background)
                marks.push_back(theme.ink(Ink(ink)));
        for (int percent = 0; percent <= 100; percent += 5)
            marks.push_back(theme.heat(percent / 100.0));
        for (const QColor& mark : marks)
            for (const QColor& back :
                 {theme.window, theme.panel, theme.raised, theme.track, theme.ink(Ink::Idle)})
                QVERIFY2(contrast(mark, back) >= 4.5,
                         mark.name().toUtf8() + " on " + back.name().toUtf8());
    }

    void labelsOfHighContrastAreText()
    {
        const Theme& theme = highContrastTheme();
        for (const QColor& stage : theme.stages)
            QVERIFY2(contrast(labelOn(stage), stage) >= 7, stage.name().toUtf8());
        for (int percent = 0; percent <= 100; ++percent) {
            const QColor heat = theme.heat(percent / 100.0);
            QVERIFY2(contrast(labelOn(heat), heat) >= 7, heat.name().toUtf8());
        }
        for (int category = 0; category < categoryCount; ++category) {
            const QColor fill = theme.ink(inkOf(Category(category)));
            QVERIFY2(contrast(labelOn(fill), fill) >= 7, fill.name().toUtf8());
        }
    }

    /// Qt makes the hints of a field whose colour a style sheet sets half transparent.
    void hintsInFieldsCanBeRead()
    {
        ThemeController controller(*qApp);
        QWidget window;
        QLineEdit line(&window);
        QPlainTextEdit note(&window);
        note.setProperty("look", "field");
        for (const auto choice :
             {ThemeChoice::Light, ThemeChoice::Dark, ThemeChoice::HighContrast}) {
            controller.setChoice(choice);
            const Theme& theme = controller.theme();
            for (QWidget* field : {static_cast<QWidget*>(&line), static_cast<QWidget*>(&note)}) {
                field->ensurePolished();
                const QColor hint = field->palette().color(QPalette::PlaceholderText);
                QCOMPARE(hint.alpha(), 255);
                QVERIFY(contrast(hint, theme.field) >= (theme.highContrast ? 7 : 4.5));
                QCOMPARE(field->palette().color(QPalette::Text), theme.text);
            }
        }
    }

    void contrastIsThatOfTheStandard()
    {
        QCOMPARE(qRound(contrast(Qt::white, Qt::black) * 100), 2100);
        QCOMPARE(qRound(contrast(QColor(0x77, 0x77, 0x77), Qt::white) * 100), 448);
        QCOMPARE(contrast(Qt::red, Qt::red), 1.0);
    }

    void widgetsFindTheirThemeInThePalette()
    {
        QVERIFY(!themeOf(paletteOf(lightTheme())).dark);
        for (const Theme* theme : allThemes())
            QCOMPARE(&themeOf(paletteOf(*theme)), theme);
        QWidget widget;
        ThemeController controller(*qApp);
        controller.setChoice(ThemeChoice::HighContrast);
        QPushButton button(&widget); // whose background the style sheet sets
        button.ensurePolished();
        QCOMPARE(&themeOf(button.palette()), &highContrastTheme());
    }

    void aChoiceIsKept()
    {
        const tests::OwnSettings settings;
        for (const auto choice : {ThemeChoice::System, ThemeChoice::Light, ThemeChoice::Dark,
                                  ThemeChoice::HighContrast}) {
            QCOMPARE(themeChoiceOf(toText(choice)), choice);
            ThemeController first(*qApp);
            first.setChoice(choice);
            first.setTextScale(1.75);
            first.save();
            ThemeController second(*qApp);
            second.load();
            QCOMPARE(second.choice(), choice);
            QCOMPARE(second.textScale(), 1.75);
            second.setTextScale(1);
        }
        QVERIFY(!themeChoiceOf(QStringLiteral("pink")));
    }

    void styleSheetHasNoNameLeftUnfilled()
    {
        for (const Theme* theme : allThemes()) {
            const QString sheet = styleSheetOf(*theme);
            QVERIFY(sheet.size() > 1000);
            QVERIFY(!sheet.contains(QLatin1Char('@')));
            QVERIFY(!sheet.contains(QStringLiteral(": ;")));
        }
    }

    void explicitChoiceWinsOverTheSystem()
    {
        ThemeController controller(*qApp);
        controller.setChoice(ThemeChoice::Dark);
        QVERIFY(controller.isDark());
        QCOMPARE(qApp->palette().color(QPalette::Window), darkTheme().window);
        QApplication::setPalette(QPalette(Qt::white));
        QVERIFY(controller.isDark());
        QCOMPARE(qApp->palette().color(QPalette::Window), darkTheme().window);
        controller.setChoice(ThemeChoice::Light);
        QCOMPARE(qApp->palette().color(QPalette::Window), lightTheme().window);
    }

    void followsTheSystemWhileTheWindowIsOpen()
    {
        ThemeController controller(*qApp);
        QWidget widget;
        widget.show();
        controller.setChoice(ThemeChoice::System);
        QApplication::setPalette(QPalette(QColor(0x20, 0x20, 0x20)));
        QTRY_VERIFY(controller.isDark());
        QVERIFY(themeOf(widget.palette()).dark);
        QApplication::setPalette(QPalette(QColor(0xF0, 0xF0, 0xF0)));
        QTRY_VERIFY(!controller.isDark());
        QVERIFY(!themeOf(widget.palette()).dark);
    }

    void textSizeReachesEveryRole()
    {
        ThemeController controller(*qApp);
        controller.setTextScale(1.0);
        const int before = fontOf(FontRole::Figure).pixelSize();
        QCOMPARE(before, 19);
        controller.setTextScale(1.5);
        QCOMPARE(fontOf(FontRole::Figure).pixelSize(), 29);
        QCOMPARE(QApplication::font().pixelSize(), 18);
        controller.setTextScale(1.0);
        QCOMPARE(fontOf(FontRole::Body).pixelSize(), 12);
    }
};

QTEST_MAIN(ThemeTest)
#include "theme_test.moc"
