#include <QtTest>

#include "engine/record/demo_plan.h"
#include "tests/ui/support/own_settings.h"
#include "tests/ui/support/stored_run.h"
#include "ui/compare/comparison_view.h"
#include "ui/pages/history_page.h"
#include "ui/pages/plan_page.h"
#include "ui/pages/run_page.h"
#include "ui/plan/plan_predictor.h"
#include "ui/run/run_view.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/bubble_bars.h"
#include "ui/widgets/display_list_view.h"
#include "ui/widgets/figure_strip.h"
#include "ui/widgets/lane_view.h"
#include "ui/widgets/legend_bar.h"
#include "ui/widgets/loss_chart.h"
#include "ui/widgets/memory_curves.h"
#include "ui/widgets/memory_grid.h"
#include "ui/widgets/traffic_grid.h"
#include "ui/window/main_window.h"

#include <QAccessible>
#include <QApplication>
#include <QLabel>
#include <QScrollBar>
#include <QTabBar>

using namespace triaxis;
using namespace triaxis::ui;

namespace
{

QString whatIs(const QWidget* widget)
{
    QStringList path;
    for (const QWidget* at = widget; at; at = at->parentWidget())
        path.prepend(QLatin1String(at->metaObject()->className()) + QLatin1Char(' ') +
                     at->objectName());
    return path.mid(std::max(qsizetype(0), path.size() - 4)).join(QStringLiteral(" > "));
}

QString said(QWidget* widget, QAccessible::Text kind)
{
    QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
    return interface ? interface->text(kind) : QString();
}

/// What a screen reader says of anything that the keyboard reaches.
bool isNamed(QWidget* widget)
{
    return !said(widget, QAccessible::Name).isEmpty() ||
           !said(widget, QAccessible::Value).isEmpty() ||
           !said(widget, QAccessible::Description).isEmpty();
}

} // namespace

class AccessibleNamesTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<tests::OwnSettings> m_home;
    std::unique_ptr<ThemeController> m_theme;
    std::unique_ptr<MainWindow> m_window;
    QStringList m_runs;

    /// Those without a name that are in sight and take the focus.
    QStringList nameless() const
    {
        QStringList found;
        for (QWidget* widget : m_window->findChildren<QWidget*>()) {
            const bool reached = widget->isVisible() && widget->focusPolicy() != Qt::NoFocus &&
                                 !widget->objectName().startsWith(QLatin1String("qt_"));
            if (reached && !isNamed(widget))
                found << whatIs(widget);
        }
        return found;
    }

    template <class Painted>
    QStringList mute(const QWidget* in, bool described) const
    {
        QStringList found;
        for (Painted* widget : in->findChildren<Painted*>()) {
            if (!widget->isVisible())
                continue;
            if (said(widget, QAccessible::Name).isEmpty() ||
                (described && said(widget, QAccessible::Description).isEmpty()))
                found << whatIs(widget);
        }
        return found;
    }

private slots:
    void initTestCase()
    {
        m_home = std::make_unique<tests::OwnSettings>();
        const std::filesystem::path home = m_home->folder().toStdString();
        for (int i = 0; i < 2; ++i)
            m_runs << QString::fromStdString(
                tests::storeFinishedRun(home, tests::smallPlan(2, 2, 2, 4), 6).string());
        m_theme = std::make_unique<ThemeController>(*qApp);
        m_window =
            std::make_unique<MainWindow>(MainWindow::Options{demoPlan(), home, "0.1.0"}, *m_theme);
        m_window->resize(1440, 1000);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }
    void cleanupTestCase() { m_window.reset(); }

    void thePlanPageIsNamed()
    {
        QTRY_VERIFY(m_window->planPage()->predictor().isUpToDate());
        QCOMPARE(nameless().join(QStringLiteral("; ")), QString());
        QCOMPARE(mute<FigureStrip>(m_window->planPage(), false).join(QStringLiteral("; ")),
                 QString());
        QCOMPARE(mute<LegendBar>(m_window->planPage(), false).join(QStringLiteral("; ")),
                 QString());
        QCOMPARE(mute<DisplayListView>(m_window->planPage(), true).join(QStringLiteral("; ")),
                 QString());
    }

    void theRunPageIsNamedOnEveryTab()
    {
        m_window->openRun(m_runs.first());
        RunView* view = m_window->runPage()->view();
        QTRY_VERIFY(view->timeline()->lanes());
        auto* tabs = view->findChild<QTabBar*>();
        QVERIFY(tabs);
        for (int tab = 0; tab < tabs->count(); ++tab) {
            tabs->setCurrentIndex(tab);
            QApplication::processEvents();
            QVERIFY2(nameless().isEmpty(),
                     qPrintable(tabs->tabText(tab) + ": " + nameless().join(", ")));
            QCOMPARE(mute<LossChart>(view, true).join(QStringLiteral("; ")), QString());
            QCOMPARE(mute<BubbleBars>(view, true).join(QStringLiteral("; ")), QString());
            QCOMPARE(mute<MemoryGrid>(view, true).join(QStringLiteral("; ")), QString());
            QCOMPARE(mute<MemoryCurves>(view, true).join(QStringLiteral("; ")), QString());
            QCOMPARE(mute<TrafficGrid>(view, true).join(QStringLiteral("; ")), QString());
            QCOMPARE(mute<LaneView>(view, false).join(QStringLiteral("; ")), QString());
        }
    }

    void theHistoryAndAComparisonAreNamed()
    {
        m_window->showPage(MainWindow::Page::History);
        QApplication::processEvents();
        QCOMPARE(nameless().join(QStringLiteral("; ")), QString());
        HistoryPage* page = m_window->historyPage();
        page->compareRuns(m_runs);
        QTRY_COMPARE(page->comparison()->runs().size(), std::size_t(2));
        QApplication::processEvents();
        QCOMPARE(nameless().join(QStringLiteral("; ")), QString());
        QCOMPARE(mute<DisplayListView>(page, true).join(QStringLiteral("; ")), QString());
        QCOMPARE(mute<LaneView>(page, false).join(QStringLiteral("; ")), QString());
    }
};

QTEST_MAIN(AccessibleNamesTest)
#include "accessible_names_test.moc"
