#include "engine/core/diagnostic.h"
#include "engine/core/error.h"

#include <QTest>

using namespace triaxis;

class DiagnosticTest : public QObject
{
    Q_OBJECT

private slots:
    void onlyErrorsKeepAPlanFromRunning();
    void textNamesFindingPlaceAndMend();
    void errorTextNamesWhatWasTriedOnWhatAndTheRemedy();
};

void DiagnosticTest::onlyErrorsKeepAPlanFromRunning()
{
    std::vector<Diagnostic> findings{{Severity::Note, "a", "", "", ""},
                                     {Severity::Warning, "b", "", "", ""}};
    QVERIFY(!hasErrors({}));
    QVERIFY(!hasErrors(findings));
    findings.push_back({Severity::Error, "c", "", "", ""});
    QVERIFY(hasErrors(findings));
}

void DiagnosticTest::textNamesFindingPlaceAndMend()
{
    QCOMPARE(toText(Diagnostic{Severity::Warning, "few microbatches", "training.globalBatch", "why",
                               "use 8"}),
             std::string("warning: few microbatches (training.globalBatch); use 8"));
    QCOMPARE(toText(Diagnostic{Severity::Note, "uneven", "", "", ""}), std::string("note: uneven"));
}

void DiagnosticTest::errorTextNamesWhatWasTriedOnWhatAndTheRemedy()
{
    const Error error("cannot read the weights", "a.safetensors: cut short", "copy it again");
    QCOMPARE(std::string(error.what()),
             std::string("cannot read the weights: a.safetensors: cut short; copy it again"));
    QCOMPARE(error.remedy(), std::string("copy it again"));
    QCOMPARE(std::string(Error("cannot start", "").what()), std::string("cannot start"));
}

QTEST_APPLESS_MAIN(DiagnosticTest)
#include "diagnostic_test.moc"
