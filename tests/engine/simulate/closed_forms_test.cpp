#include <QTest>

#include "engine/core/error.h"
#include "engine/schedule/closed_forms.h"
#include "engine/simulate/play.h"

#include <cmath>
#include <map>
#include <string>

using namespace triaxis;

namespace
{

const std::vector<ShareTimes> costSets = {{1, 1, 1},     {1, 1.2, 0.8}, {1, 1.5, 1},
                                          {1, 0.5, 0.5}, {1, 0.4, 0.6}, {0.7, 1.4, 0.5}};

std::optional<Played> played(const ScheduleRequest& request, const ShareTimes& times)
{
    try {
        return play(generate(request), evenCosts(request.stages, request.virtualStages,
                                                 times.forward, times.input, times.weight));
    } catch (const Error&) {
        return std::nullopt; // the schedule does not allow this shape
    }
}

std::string difference(const char* what, const std::vector<double>& form,
                       const std::vector<double>& seen)
{
    for (std::size_t stage = 0; stage < form.size(); ++stage)
        if (std::abs(form[stage] - seen[stage]) > 1e-9)
            return std::string(what) + " of stage " + std::to_string(stage) + ": " +
                   std::to_string(form[stage]) + " by the form, played " +
                   std::to_string(seen[stage]);
    return {};
}

std::string textOf(const ScheduleRequest& request, const ShareTimes& times)
{
    return request.name + " P=" + std::to_string(request.stages) +
           " M=" + std::to_string(request.microbatches) +
           " V=" + std::to_string(request.virtualStages) +
           " N=" + std::to_string(request.microbatchGroup) +
           " F, I, W = " + std::to_string(times.forward) + ", " + std::to_string(times.input) +
           ", " + std::to_string(times.weight) + ": ";
}

} // namespace

class ClosedFormsTest : public QObject
{
    Q_OBJECT

private slots:
    void playedIsTheClosedForm_data()
    {
        QTest::addColumn<QString>("schedule");
        for (const ScheduleInfo& info : schedules())
            if (info.name != "custom" && info.name != "auto")
                QTest::addRow("%s", info.name.c_str()) << QString::fromStdString(info.name);
    }

    /// Wherever a form is given, playing the schedule gives the same; the first disagreements of
    /// each are told.
    void playedIsTheClosedForm()
    {
        QFETCH(QString, schedule);
        const ScheduleInfo& info = scheduleInfo(schedule.toStdString());
        std::map<std::string, int> compared;
        QStringList differences;
        int differing = 0;
        for (int stages = 1; stages <= 12; ++stages)
            for (int microbatches = 1; microbatches <= 32; ++microbatches)
                for (int chunks = info.minimumVirtual; chunks <= std::min(4, info.maximumVirtual);
                     ++chunks)
                    for (const ShareTimes& times : costSets) {
                        const ScheduleRequest request{info.name, stages, microbatches,
                                                      chunks,    0,      {}};
                        const ClosedForm form = closedForm(request, times);
                        const std::optional<Played> seen = played(request, times);
                        if (!seen)
                            continue;
                        ++compared["played"];
                        for (const auto& [what, by, real] :
                             {std::tuple("idle", &form.idle, &seen->idle),
                              std::tuple("own idle", &form.idleOwn, &seen->idleOwn),
                              std::tuple("peak", &form.peakLive, &seen->peakLive)}) {
                            if (by->empty())
                                continue;
                            ++compared[what];
                            const std::string found = difference(what, *by, *real);
                            if (found.empty())
                                continue;
                            if (++differing <= 10)
                                differences
                                    << QString::fromStdString(textOf(request, times) + found);
                        }
                    }
        for (const auto& [what, count] : compared)
            qInfo("%s: %d", what.c_str(), count);
        QVERIFY2(differing == 0,
                 qPrintable(QString::number(differing) + "\n" + differences.join('\n')));
        QVERIFY(compared["played"] > 0);
    }

    void ratesAreIdleOverIdealAndOverMakespan()
    {
        const ClosedForm form = closedForm({"1f1b", 4, 8, 1, 0, {}}, {1, 1, 1});
        QCOMPARE(form.work, 24.0);
        QCOMPARE(*form.idleOverIdeal(), 3.0 / 8);
        QCOMPARE(*form.idleOverMakespan(), 3.0 / 11);
        QCOMPARE(*closedForm({"gpipe", 4, 8, 1, 0, {}}).idleOverMakespan(), 3.0 / 11);
        QCOMPARE(*closedForm({"1f1b", 1, 8, 1, 0, {}}).idleOverMakespan(), 0.0);
    }

    void saysWhyThereIsNone()
    {
        const ClosedForm outside = closedForm({"zb-h1", 8, 4, 1, 0, {}});
        QVERIFY(outside.idle.empty() && !outside.idleOverMakespan());
        QVERIFY(outside.idleText.find("no closed form") == 0);
        QVERIFY(outside.idleText.find("M ≥ P") != std::string::npos);
        const ClosedForm never = closedForm({"v-half", 4, 8, 2, 0, {}});
        QVERIFY(never.idle.empty() && never.peakLive.empty());
        QVERIFY(never.idleText.find("no closed form") == 0);
        QVERIFY(closedForm({"1f1b", 0, 8, 1, 0, {}}).idle.empty());
        QVERIFY(closedForm({"1f1b", 4, 0, 1, 0, {}}).idle.empty());
    }
};

QTEST_APPLESS_MAIN(ClosedFormsTest)
#include "closed_forms_test.moc"
