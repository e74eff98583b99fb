// One edit of a large plan until its prediction is there and the page is painted again: median,
// 95th percentile and worst of 200 edits, beside the processor time of it, which a machine that is
// shared does not lengthen as it does the time of day. Run with QT_QPA_PLATFORM=offscreen.

#include "bench_timer.h"

#include "engine/formats/plan_file.h"
#include "engine/plan/drawn_prediction.h"
#include "ui/base/background.h"
#include "ui/commands/set_axis_sizes.h"
#include "ui/pages/plan_page.h"
#include "ui/plan/floor_view.h"
#include "ui/plan/plan_predictor.h"

#include <QApplication>
#include <QPixmap>

#include <cstdio>
#include <vector>

using namespace triaxis;
using namespace triaxis::bench;
using namespace triaxis::ui;

namespace
{

constexpr int edits = 200;

DrawnPlan example(const char* name)
{
    for (const ExamplePlan& plan : examplePlans())
        if (plan.name == name)
            return parsePlanFile(plan.text, plan.name).plan;
    return {};
}

void report(const char* what, std::vector<double> seconds)
{
    std::sort(seconds.begin(), seconds.end());
    const auto at = [&](double share) {
        return 1e3 * seconds[std::size_t(share * double(seconds.size() - 1))];
    };
    std::printf("%-34s median %7.2f ms   95%% %7.2f ms   worst %7.2f ms\n", what, at(0.5), at(0.95),
                at(1));
}

void measurePrediction(const DrawnPlan& plan)
{
    std::vector<double> check, price;
    for (int i = 0; i < edits; ++i) {
        DrawnPlan edited = withAxisSizes(plan, i % 2 ? 32 : 64, 8, i % 2 ? 32 : 16);
        const double begin = now();
        checkDrawn(edited);
        const double checked = now();
        predictDrawn(edited);
        check.push_back(checked - begin);
        price.push_back(now() - checked);
    }
    report("checked", check);
    report("predicted, without spans", price);
}

void measurePage(const DrawnPlan& plan)
{
    Background background;
    PlanDocument document(plan, 2);
    PlanPage page(document, background, "/tmp");
    page.resize(1920, 1080);
    page.show();
    const auto settle = [&] {
        while (!page.predictor().isUpToDate())
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
    };
    auto* floor = page.findChild<FloorView*>();
    std::vector<double> both, window, threads, whole, processor;
    for (int i = -5; i < edits; ++i) {
        settle();
        QCoreApplication::processEvents();
        const double begin = now();
        const double processorBegin = processorNow();
        const double threadBegin = threadNow();
        document.apply(
            std::make_unique<SetAxisSizes>(document, i % 2 ? 32 : 64, 8, i % 2 ? 32 : 16, 1));
        settle();
        floor->viewport()->repaint();
        const double end = now();
        const double threadEnd = threadNow();
        const double processorEnd = processorNow();
        QCoreApplication::processEvents();
        if (i >= 0) {
            both.push_back(end - begin);
            window.push_back(threadEnd - threadBegin);
            threads.push_back(processorEnd - processorBegin);
            whole.push_back(now() - begin);
            processor.push_back(processorNow() - processorBegin);
        }
    }
    report("edit to prediction and floor", both);
    report("  processor time of the window", window);
    report("  processor time of all threads", threads);
    report("and everything else of the page", whole);
    report("  processor time of all threads", processor);
}

} // namespace

int main(int count, char** arguments)
{
    QApplication application(count, arguments);
    const DrawnPlan plan = example("32-llama3-405b");
    std::printf("%s, %d ranks\n", plan.run.model.name.c_str(), drawnLayout(plan).ranks());
    measurePrediction(plan);
    measurePage(plan);
    return 0;
}
