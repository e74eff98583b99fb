#include <QtTest>

#include "engine/record/demo_plan.h"
#include "tests/ui/support/own_settings.h"
#include "ui/base/widget_keys.h"
#include "ui/plan/floor_view.h"
#include "ui/plan/layer_bar.h"
#include "ui/theme/theme_controller.h"
#include "ui/timeline/key_commands.h"
#include "ui/timeline/minimap.h"
#include "ui/widgets/axis_chip.h"
#include "ui/window/key_sheet.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QSettings>
#include <QTimer>

using namespace triaxis;
using namespace triaxis::ui;

class KeySheetTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<tests::OwnSettings> m_home;
    std::unique_ptr<ThemeController> m_theme;
    std::unique_ptr<MainWindow> m_window;

    static bool has(const std::vector<KeySection>& sections, const QString& keys,
                    const QString& text)
    {
        for (const KeySection& section : sections)
            for (const KeyLine& line : section.lines)
                if (line.text == text && line.keys == keys)
                    return true;
        return false;
    }

    /// Whether the widget takes a key that it tells of.
    static bool takes(QWidget* widget, const QString& name)
    {
        const QKeySequence sequence(name, QKeySequence::PortableText);
        const QKeyCombination key = sequence[0];
        const bool symbol = key.key() == Qt::Key_Plus || key.key() == Qt::Key_Minus;
        QKeyEvent press(QEvent::KeyPress, key.key(), key.keyboardModifiers(),
                        symbol ? name : QString());
        press.accept();
        QApplication::sendEvent(widget, &press);
        return press.isAccepted();
    }

private slots:
    void init()
    {
        m_home = std::make_unique<tests::OwnSettings>();
        m_theme = std::make_unique<ThemeController>(*qApp);
        m_window = std::make_unique<MainWindow>(
            MainWindow::Options{demoPlan(), m_home->folder().toStdString(), "0.1.0"}, *m_theme);
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    void cleanup()
    {
        m_window.reset();
        m_theme.reset();
    }

    void everyActionWithAKeyIsOnTheSheet()
    {
        const auto sections = keySections(*m_window);
        int actions = 0;
        for (const QAction* action : m_window->findChildren<QAction*>()) {
            if (action->shortcuts().isEmpty() || action->isSeparator() || action->text().isEmpty())
                continue;
            QString text = action->text();
            if (const KeyCommand* command = keyCommand(action->objectName()))
                text = QString::fromUtf8(command->text);
            QVERIFY2(has(sections, keysText(action->shortcuts()), text.remove(QLatin1Char('&'))),
                     qPrintable(text));
            ++actions;
        }
        QVERIFY(actions > 60);
        QVERIFY(has(sections, QStringLiteral("T"), QStringLiteral("Draw a tensor group")));
        QVERIFY(has(sections, QStringLiteral("F1"), QStringLiteral("Keyboard…")));
        QVERIFY(has(sections, QStringLiteral("Ctrl+Shift+R"),
                    QStringLiteral("Restart with a change…")));
        QVERIFY(has(sections, QStringLiteral("Alt+5"), QStringLiteral("Show Prediction")));
        for (const char* title : {"Window", "Plan", "Plan: floor", "Run", "History",
                                  "Timeline: range", "Timeline: mouse"})
            QVERIFY2(
                std::any_of(sections.begin(), sections.end(),
                            [&](const KeySection& s) { return s.title == QLatin1String(title); }),
                title);
    }

    void widgetsTakeTheKeysThatTheyTellOf()
    {
        int told = 0;
        for (QWidget* widget : m_window->findChildren<QWidget*>()) {
            for (const WidgetKey& key : widgetKeys(widget)) {
                QVERIFY(!key.text.isEmpty() && !key.keys.isEmpty());
                if (key.mouse)
                    continue;
                for (const QString& name : key.keys) {
                    const QKeySequence sequence(name, QKeySequence::PortableText);
                    QVERIFY2(sequence.count() == 1 && sequence[0].key() != Qt::Key_unknown,
                             qPrintable(name));
                    const bool plain = qobject_cast<AxisChip*>(widget) ||
                                       qobject_cast<LayerBar*>(widget) ||
                                       qobject_cast<Minimap*>(widget);
                    if (plain)
                        QVERIFY2(takes(widget, name), qPrintable(key.text));
                    ++told;
                }
            }
        }
        QVERIFY(told > 20);
    }

    void theFloorTakesItsKeys()
    {
        auto* floor = m_window->findChild<FloorView*>();
        QVERIFY(floor);
        for (const char* name : {"Left", "Right", "Up", "Down", "+", "-"})
            QVERIFY2(takes(floor, QLatin1String(name)), name);
        QVERIFY(takes(floor, QStringLiteral("Esc"))); // the selection goes
    }

    void changedKeysAreShownAndKept()
    {
        const QString zoom = QStringLiteral("timeline.zoomIn");
        setKeysOf(zoom, {QKeySequence(Qt::Key_Q)});
        {
            KeySheet sheet(m_window.get()); // must not outlive the window
            QVERIFY(has(sheet.sections(), QStringLiteral("Q"), QStringLiteral("Zoom in")));
            QVERIFY(!sheet.grab().isNull());
        }
        setKeysOf(zoom, {});
        QVERIFY(keysOf(zoom).isEmpty());
        QSettings().sync();
        const QSettings reread(QSettings().fileName(), QSettings::IniFormat);
        QVERIFY(reread.contains(QStringLiteral("shortcuts/") + zoom));
        QVERIFY(reread.value(QStringLiteral("shortcuts/") + zoom).isValid());
        QVERIFY(has(keySections(*m_window), QStringLiteral("–"), QStringLiteral("Zoom in")));
        // The next window has them as well.
        setKeysOf(zoom, {QKeySequence(Qt::Key_Q)});
        m_window.reset();
        init0();
        const QAction* action = m_window->findChild<QAction*>(zoom);
        QCOMPARE(action->shortcuts(), QList<QKeySequence>{QKeySequence(Qt::Key_Q)});
    }

    void theQuestionMarkOpensIt()
    {
        bool opened = false;
        QTimer look;
        connect(&look, &QTimer::timeout, this, [&] {
            auto* sheet = qobject_cast<KeySheet*>(QApplication::activeModalWidget());
            if (!sheet)
                return;
            opened = true;
            look.stop();
            sheet->reject();
        });
        look.start(20);
        QTest::keyClick(m_window.get(), Qt::Key_Question, Qt::ShiftModifier);
        QVERIFY(opened);
    }

private:
    void init0()
    {
        m_window = std::make_unique<MainWindow>(
            MainWindow::Options{demoPlan(), m_home->folder().toStdString(), "0.1.0"}, *m_theme);
    }
};

QTEST_MAIN(KeySheetTest)
#include "key_sheet_test.moc"
