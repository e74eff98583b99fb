// How GPUs are linked and clocked, as a library in NVML's place tells it.

#include <QtTest>

#include "kernels/gpu/nvml.h"

using namespace triaxis::kernels;

namespace
{

GpuSurvey surveyOf(const std::vector<std::string>& buses)
{
    GpuSurvey survey;
    for (const std::string& bus : buses) {
        GpuFacts& gpu = survey.gpus.emplace_back();
        gpu.number = int(survey.gpus.size()) - 1;
        gpu.bus = bus;
    }
    return survey;
}

} // namespace

class NvmlTest : public QObject
{
    Q_OBJECT

private slots:
    void tellsClocksAndLinks()
    {
        GpuSurvey survey = surveyOf({"0000:01:00.0", "0000:02:00.0", "0000:81:00.0"});
        addManagementFacts(survey, TRIAXIS_FAKE_NVML);
        QVERIFY2(survey.linkProblem.empty(), survey.linkProblem.c_str());
        QCOMPARE(survey.gpus[0].clockMhz, 1980);
        QCOMPARE(survey.gpus[1].memoryClockMhz, 3201);
        QCOMPARE(survey.gpus[1].nvlinks, 4);
        QCOMPARE(survey.gpus[2].clockMhz, 0);
        QCOMPARE(survey.gpus[2].nvlinks, 0);
        QCOMPARE(survey.links.size(), std::size_t(3));
        QCOMPARE(survey.links[0].kind, std::string("NVLink"));
        QCOMPARE(survey.links[1].first, 0);
        QCOMPARE(survey.links[1].second, 2);
        QCOMPARE(survey.links[2].kind, std::string("PCIe, between processors"));
    }

    void saysWhichGpuIsNotKnown()
    {
        GpuSurvey survey = surveyOf({"0000:01:00.0", "0000:33:00.0"});
        addManagementFacts(survey, TRIAXIS_FAKE_NVML);
        QCOMPARE(survey.linkProblem, std::string("NVML does not know GPU 1 (0000:33:00.0)"));
        QCOMPARE(survey.gpus[0].clockMhz, 1980);
        QVERIFY(survey.links.empty());
    }

    void saysWhyThereIsNoLibrary()
    {
        GpuSurvey survey = surveyOf({"0000:01:00.0"});
        addManagementFacts(survey, "no-such-library.so");
        QVERIFY2(survey.linkProblem.find("no-such-library.so") != std::string::npos,
                 survey.linkProblem.c_str());
        QCOMPARE(survey.gpus[0].clockMhz, 0);
    }
};

QTEST_APPLESS_MAIN(NvmlTest)
#include "nvml_test.moc"
