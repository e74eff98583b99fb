// bench_comparison [RUNS]: what a person waits for while 50 runs are compared, from the act until
// it is painted, in milliseconds; fails above 100. Reading the runs goes on in the background: what
// it takes is told, and is no part of it.

#include "tests/bench/bench_timer.h"
#include "tests/ui/support/stored_run.h"
#include "ui/compare/comparison_view.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/lane_view.h"

#include <QApplication>
#include <QCheckBox>
#include <QKeyEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <cstdio>
#include <cstdlib>
#include <functional>

using namespace triaxis;
using namespace triaxis::ui;

namespace
{

constexpr double mostMilliseconds = 100;
constexpr double budget = 1; ///< seconds an act
constexpr int steps = 20;

class Bench
{
public:
    explicit Bench(ComparisonView& view) : m_view(view) {}

    void measure(const char* what, const std::function<void()>& act)
    {
        const double seconds = bench::fastest(budget, [&] {
            act();
            QApplication::processEvents();
            m_view.grab();
        });
        tell(what, seconds);
    }
    void tell(const char* what, double seconds)
    {
        std::printf("%8.2f ms  %s\n", 1e3 * seconds, what);
        m_worst = std::max(m_worst, 1e3 * seconds);
    }
    double worst() const { return m_worst; }

private:
    ComparisonView& m_view;
    double m_worst = 0;
};

QStringList storeRuns(const std::filesystem::path& home, int count)
{
    QStringList runs;
    for (int i = 0; i < count; ++i) {
        RunPlan plan = tests::smallPlan(1 << i % 2, 1 << i / 2 % 2, 1 << i / 4 % 2, 4);
        plan.label = "run " + std::to_string(i);
        runs << QString::fromStdString(tests::storeFinishedRun(home, plan, steps).string());
    }
    return runs;
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    const QTemporaryDir home;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, home.path());
    const int count = argc > 1 ? std::atoi(argv[1]) : 50;
    const QStringList runs = storeRuns(home.path().toStdString(), count);
    ThemeController theme(application);
    ComparisonView view;
    view.resize(1200, 740);
    view.show();
    Bench bench(view);
    const double begin = bench::now();
    double longest = 0;
    view.compare(runs);
    while (view.isBusy()) {
        const double before = bench::threadNow();
        QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
        longest = std::max(longest, bench::threadNow() - before);
    }
    std::printf("%d runs, read and shown after %.2f s\n", int(view.runs().size()),
                bench::now() - begin);
    bench.tell("the runs take their places", longest);
    auto* only = view.findChild<QCheckBox*>("onlyDifferences");
    bench.measure("all settings, or only those that differ", [&] { only->toggle(); });
    int width = 1200;
    bench.measure("another width", [&] { view.resize(width = width == 1200 ? 1180 : 1200, 740); });
    QScrollBar* bar = view.findChild<QScrollArea*>()->verticalScrollBar();
    bench.measure("scroll by a page", [&] {
        bar->setValue(bar->value() >= bar->maximum() ? 0 : bar->value() + bar->pageStep());
    });
    bar->setValue(bar->maximum() / 2);
    const auto lanes = view.findChildren<LaneView*>();
    if (!lanes.isEmpty()) {
        int key = Qt::Key_W;
        bench.measure("zoom all timelines", [&] {
            key = key == Qt::Key_W ? Qt::Key_S : Qt::Key_W;
            QKeyEvent press(QEvent::KeyPress, key, Qt::NoModifier, QString(QChar(key)));
            QApplication::sendEvent(lanes.first(), &press);
        });
    }
    std::printf("worst: %.2f ms; at most %.0f are allowed\n", bench.worst(), mostMilliseconds);
    return bench.worst() > mostMilliseconds;
}
