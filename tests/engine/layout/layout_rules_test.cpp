#include "engine/formats/hf_config.h"
#include "engine/layout/layout.h"
#include "tests/engine/model/model_fixture.h"

#include <QTest>
#include <limits>
#include <numeric>

using namespace triaxis;

namespace
{

Layout layoutOf(int dp, int tp, int pp, int virtualStages = 1)
{
    Layout layout;
    layout.dp = dp;
    layout.tp = tp;
    layout.pp = pp;
    layout.virtualStages = virtualStages;
    return layout;
}

constexpr BatchShape batch{16, 1, 24};

ModelSpec modelWith(int layers, int heads = 12)
{
    ModelSpec model = smallGpt2();
    model.layers = layers;
    model.heads = model.kvHeads = heads;
    model.headSize = 48 / heads;
    model.feedForward = 192;
    return model;
}

std::vector<Diagnostic> errorsOf(const std::vector<Diagnostic>& findings)
{
    std::vector<Diagnostic> errors;
    for (const Diagnostic& finding : findings) {
        if (finding.severity == Severity::Error)
            errors.push_back(finding);
    }
    return errors;
}

/// The only error; fails the test through QVERIFY at the caller if there are none or several.
Diagnostic onlyError(const std::vector<Diagnostic>& findings)
{
    const std::vector<Diagnostic> errors = errorsOf(findings);
    return errors.size() == 1 ? errors.front() : Diagnostic{Severity::Note, "", "", "", ""};
}

bool runs(const Layout& layout, const ModelSpec& model, const BatchShape& shape = batch)
{
    return !hasErrors(checkLayout(layout, model, shape));
}

QString text(const std::string& value)
{
    return QString::fromUtf8(value.c_str());
}

} // namespace

class LayoutRulesTest : public QObject
{
    Q_OBJECT

private slots:
    void acceptsTheLayoutsOfTheReferenceCases();
    void everyFindingIsComplete();
    void sizesBelowOneAreRefused_data();
    void sizesBelowOneAreRefused();
    void headsMustDivide();
    void keyValueHeadsMayBeSplitOrRepeated();
    void feedForwardMustDivide();
    void vocabularyLimitsTensorSize();
    void mendedTensorSizesPassTheRules();
    void everyVirtualStageNeedsALayer();
    void explicitSplitsAreChecked();
    void globalBatchMustDivide();
    void mendedBatchesPassTheRules();
    void sequencesStayWithinThePositions();
    void ranksMustBeThere();
    void absurdNumbersAreRefusedWithoutACrash();
    void brokenModelsAreRefused();
    void ordersThatNameAnAxisTwiceAreRefused();
    void fewMicrobatchesAreAWarning();
    void unevenSplitsAreANote();
    void oddTensorSizesAreANote();
    void allErrorsAreReportedAtOnce();
};

void LayoutRulesTest::acceptsTheLayoutsOfTheReferenceCases()
{
    ModelSpec gpt2 = smallGpt2(), llama = smallLlama();
    gpt2.layers = llama.layers = 8;
    llama.kvHeads = 4;
    for (const auto& [dp, tp, pp] : {std::array{1, 1, 1},
                                     {2, 1, 1},
                                     {1, 2, 1},
                                     {1, 1, 2},
                                     {2, 2, 1},
                                     {2, 1, 2},
                                     {1, 2, 2},
                                     {2, 2, 2},
                                     {1, 1, 4},
                                     {1, 4, 1},
                                     {2, 4, 1},
                                     {1, 4, 2},
                                     {1, 1, 3}}) {
        QVERIFY(checkLayout(layoutOf(dp, tp, pp), gpt2, batch).empty() || pp == 3);
        QVERIFY(runs(layoutOf(dp, tp, pp), gpt2));
        QVERIFY(runs(layoutOf(dp, tp, pp), llama));
    }
    QVERIFY(runs(layoutOf(1, 8, 1), llama));
}

void LayoutRulesTest::everyFindingIsComplete()
{
    const ModelSpec model = modelWith(3);
    int found = 0;
    for (int dp = 0; dp < 4; ++dp) {
        for (int tp = 0; tp < 9; ++tp) {
            for (int pp = 0; pp < 6; ++pp) {
                for (const Diagnostic& finding :
                     checkLayout(layoutOf(dp, tp, pp), model, {6, 2, 30}, 12)) {
                    QVERIFY(!finding.what.empty() && !finding.where.empty() &&
                            !finding.why.empty());
                    QVERIFY(finding.severity == Severity::Note || !finding.mend.empty());
                    ++found;
                }
            }
        }
    }
    QVERIFY(found > 200);
}

void LayoutRulesTest::sizesBelowOneAreRefused_data()
{
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("where");
    const char* names[] = {"layout.dp",
                           "layout.tp",
                           "layout.pp",
                           "layout.virtualStages",
                           "training.globalBatch",
                           "training.microbatch",
                           "training.sequence"};
    for (int which = 0; which < 7; ++which)
        QTest::newRow(names[which]) << which << names[which];
}

void LayoutRulesTest::sizesBelowOneAreRefused()
{
    QFETCH(int, which);
    QFETCH(QString, where);
    for (const int value : {0, -1, std::numeric_limits<int>::min()}) {
        Layout layout = layoutOf(1, 1, 1);
        BatchShape shape = batch;
        int* const fields[] = {
            &layout.dp,         &layout.tp,        &layout.pp,     &layout.virtualStages,
            &shape.globalBatch, &shape.microbatch, &shape.sequence};
        *fields[which] = value;
        const Diagnostic error = onlyError(checkLayout(layout, smallGpt2(), shape, 8));
        QCOMPARE(text(error.where), where);
        QVERIFY(text(error.what).contains(QString::number(value)));
    }
}

void LayoutRulesTest::headsMustDivide()
{
    const Diagnostic error = onlyError(checkLayout(layoutOf(1, 8, 1), modelWith(4), batch));
    QCOMPARE(text(error.what), QString("12 attention heads cannot be split over 8 tensor ranks"));
    QCOMPARE(text(error.where), QString("layout.tp"));
    QCOMPARE(text(error.mend),
             QString("use a tensor-parallel size of 1, 2, 3, 4, 6 or 12; the nearest is 6"));
}

void LayoutRulesTest::keyValueHeadsMayBeSplitOrRepeated()
{
    ModelSpec model = smallLlama();
    model.heads = 24;
    model.kvHeads = 6;
    model.feedForward = 48;
    for (const int tp : {1, 2, 3, 6, 12, 24})
        QVERIFY(runs(layoutOf(1, tp, 1), model));
    for (const int tp : {4, 8}) {
        const Diagnostic error = onlyError(checkLayout(layoutOf(1, tp, 1), model, batch));
        QVERIFY(text(error.what).startsWith("6 key/value heads can neither be split over"));
        QVERIFY(text(error.mend).startsWith("use a tensor-parallel size of 1, 2, 3, 6, 12 or 24"));
    }
}

void LayoutRulesTest::feedForwardMustDivide()
{
    ModelSpec model = modelWith(4);
    model.feedForward = 194;
    const Diagnostic error = onlyError(checkLayout(layoutOf(1, 4, 1), model, batch));
    QCOMPARE(text(error.what),
             QString("the MLP's inner width of 194 cannot be split over 4 tensor ranks"));
    QCOMPARE(text(error.mend), QString("use a tensor-parallel size of 1 or 2; the nearest is 2"));
}

void LayoutRulesTest::vocabularyLimitsTensorSize()
{
    ModelSpec model = modelWith(4);
    model.vocabulary = 3;
    const Diagnostic error = onlyError(checkLayout(layoutOf(1, 4, 1), model, batch));
    QCOMPARE(text(error.what), QString("a vocabulary of 3 cannot be split over 4 tensor ranks"));
    QVERIFY(text(error.mend).contains("1, 2 or 3"));
}

void LayoutRulesTest::mendedTensorSizesPassTheRules()
{
    for (const char* name : {"gpt2", "gpt2-xl", "llama3-70b", "llama-1m", "gpt3-175b"}) {
        const ModelSpec model = modelPreset(name);
        for (int tp = 1; tp < 200; ++tp) {
            const auto errors = errorsOf(checkLayout(layoutOf(1, tp, 1), model, {16, 1, 16}));
            for (const Diagnostic& error : errors) {
                const QString mend = text(error.mend);
                const QString list =
                    mend.section("of ", 1).section(';', 0, 0).replace(" or ", ", ");
                for (const QString& size : list.split(", "))
                    QVERIFY2(size.toInt() > 0 &&
                                 runs(layoutOf(1, size.toInt(), 1), model, {16, 1, 16}),
                             qPrintable(mend));
            }
        }
    }
}

void LayoutRulesTest::everyVirtualStageNeedsALayer()
{
    Diagnostic error = onlyError(checkLayout(layoutOf(1, 1, 5), modelWith(4), batch));
    QCOMPARE(text(error.what), QString("4 layers cannot fill 5 pipeline stages"));
    QCOMPARE(text(error.mend), QString("use a pipeline-parallel size of at most 4"));
    error = onlyError(checkLayout(layoutOf(1, 1, 2, 3), modelWith(4), batch));
    QCOMPARE(text(error.where), QString("layout.virtualStages"));
    QCOMPARE(text(error.mend), QString("use at most 2 chunks a stage, a pipeline-parallel size of at most 1, or a model with more layers"));
    error = onlyError(checkLayout(layoutOf(1, 1, 6, 2), modelWith(4), batch));
    QVERIFY(text(error.mend).contains("at most 4 with 1 chunk"));
    QVERIFY(runs(layoutOf(1, 1, 4), modelWith(4)));
}

void LayoutRulesTest::explicitSplitsAreChecked()
{
    Layout layout = layoutOf(1, 1, 3);
    const ModelSpec model = modelWith(8);
    layout.layersPerStage = {1, 4, 3};
    QVERIFY(runs(layout, model));
    layout.layersPerStage = {4, 4};
    QCOMPARE(text(onlyError(checkLayout(layout, model, batch)).what),
             QString("the layer split has 2 entries for 3 virtual stages"));
    layout.layersPerStage = {4, 4, 1};
    Diagnostic error = onlyError(checkLayout(layout, model, batch));
    QCOMPARE(text(error.what), QString("the layer split adds up to 9 of 8 layers"));
    QCOMPARE(text(error.mend), QString("use 3, 3, 2, or leave the split empty for the even one"));
    layout.layersPerStage = {4, 0, 4};
    error = onlyError(checkLayout(layout, model, batch));
    QCOMPARE(text(error.what), QString("virtual stage 1 has 0 layers"));
    QCOMPARE(text(error.where), QString("layout.layersPerStage"));
    layout.layersPerStage = {2'147'483'647, 2'147'483'647, -2'147'483'646};
    QVERIFY(hasErrors(checkLayout(layout, model, batch)));
}

void LayoutRulesTest::globalBatchMustDivide()
{
    const Diagnostic error = onlyError(checkLayout(layoutOf(4, 1, 1), modelWith(4), {20, 2, 24}));
    QCOMPARE(
        text(error.what),
        QString(
            "a global batch of 20 sequences cannot be cut into microbatches of 2 on 4 replicas"));
    QCOMPARE(text(error.where), QString("training.globalBatch"));
    QCOMPARE(text(error.mend), QString("use a global batch of 16 or 24, or a microbatch of 1"));
}

void LayoutRulesTest::mendedBatchesPassTheRules()
{
    const ModelSpec model = modelWith(4);
    for (int dp = 1; dp < 7; ++dp) {
        for (int global = 1; global < 40; ++global) {
            for (int micro = 1; micro < 10; ++micro) {
                const auto errors =
                    errorsOf(checkLayout(layoutOf(dp, 1, 1), model, {global, micro, 24}));
                if (errors.empty())
                    continue;
                const QString mend = text(errors.front().mend);
                const QString batches =
                    mend.section("batch of ", 1, 1).section(", or", 0, 0).replace(" or ", ", ");
                for (const QString& size : batches.split(", "))
                    QVERIFY2(runs(layoutOf(dp, 1, 1), model, {size.toInt(), micro, 24}),
                             qPrintable(mend));
                if (mend.contains("microbatch of ")) {
                    const int size = mend.section("microbatch of ", 1).toInt();
                    QVERIFY2(runs(layoutOf(dp, 1, 1), model, {global, size, 24}), qPrintable(mend));
                }
            }
        }
    }
}

void LayoutRulesTest::sequencesStayWithinThePositions()
{
    const Diagnostic error = onlyError(checkLayout(layoutOf(1, 1, 1), modelWith(4), {16, 1, 25}));
    QCOMPARE(text(error.what),
             QString("sequences of 25 tokens are longer than the model's 24 positions"));
    QCOMPARE(text(error.mend), QString("use a sequence length of at most 24"));
}

void LayoutRulesTest::ranksMustBeThere()
{
    const ModelSpec model = modelWith(4);
    const auto errorWith = [&](const Layout& layout, int available) {
        return onlyError(checkLayout(layout, model, batch, available));
    };
    QVERIFY(!hasErrors(checkLayout(layoutOf(2, 2, 2), model, batch, 8)));
    QVERIFY(!hasErrors(checkLayout(layoutOf(2, 2, 2), model, batch, -1)));
    QCOMPARE(text(errorWith(layoutOf(4, 2, 2), 9).mend),
             QString("use a data-parallel size of 2, or make 16 ranks available"));
    QVERIFY(text(errorWith(layoutOf(1, 2, 4), 5).mend)
                .startsWith("use a data-parallel size of 1 and a pipeline-parallel size of 2"));
    QVERIFY(text(errorWith(layoutOf(1, 4, 1), 2).mend)
                .startsWith("use sizes whose product is at most 2"));
    QVERIFY(text(errorWith(layoutOf(1, 2, 1), 1).what).endsWith("needs 2 ranks, and there is 1"));
    QVERIFY(hasErrors(checkLayout(layoutOf(1, 1, 1), model, batch, 0)));
}

void LayoutRulesTest::absurdNumbersAreRefusedWithoutACrash()
{
    constexpr int most = std::numeric_limits<int>::max(), least = std::numeric_limits<int>::min();
    const int numbers[] = {least, -1, 0, 1, 2, 65'537, most};
    for (const int dp : numbers) {
        for (const int tp : numbers) {
            for (const int pp : numbers) {
                for (const int other : numbers) {
                    Layout layout = layoutOf(dp, tp, pp, other);
                    const bool plain = dp >= 1 && dp <= 2 && tp >= 1 && tp <= 2 && pp >= 1 &&
                                       pp <= 2 && (other == 1 || other == 2);
                    QCOMPARE(runs(layout, modelWith(4)), plain && pp * other <= 4);
                    QVERIFY(hasErrors(
                        checkLayout(layoutOf(dp, tp, pp), modelWith(4), {other, dp, most})));
                    checkLayout(layoutOf(dp, tp, pp), modelWith(4), {most, other, 8}, other);
                }
            }
        }
    }
    const Diagnostic error =
        onlyError(checkLayout(layoutOf(8192, 12, 1), modelWith(4), {8192, 1, 8}));
    QVERIFY(text(error.what).contains("more than 65536 ranks"));
}

void LayoutRulesTest::brokenModelsAreRefused()
{
    const Diagnostic error = onlyError(checkLayout(layoutOf(1, 1, 1), ModelSpec{}, batch));
    QCOMPARE(text(error.where), QString("model"));
    QVERIFY(!error.mend.empty());
}

void LayoutRulesTest::ordersThatNameAnAxisTwiceAreRefused()
{
    Layout layout = layoutOf(1, 1, 1);
    layout.order = {Axis::Tensor, Axis::Tensor, Axis::Data};
    QCOMPARE(text(onlyError(checkLayout(layout, smallGpt2(), batch)).where),
             QString("layout.order"));
}

void LayoutRulesTest::fewMicrobatchesAreAWarning()
{
    const auto findings = checkLayout(layoutOf(2, 1, 4), modelWith(4), {4, 1, 24});
    QCOMPARE(findings.size(), std::size_t(1));
    QVERIFY(findings.front().severity == Severity::Warning);
    QCOMPARE(text(findings.front().what),
             QString("2 microbatches cannot keep 4 stages busy: about 60 % of the time is bubble"));
    QCOMPARE(text(findings.front().mend),
             QString("use at least 4 microbatches a step: a global batch of 8 or more"));
    QVERIFY(checkLayout(layoutOf(2, 1, 4), modelWith(4), {8, 1, 24}).empty());
}

void LayoutRulesTest::unevenSplitsAreANote()
{
    const auto findings = checkLayout(layoutOf(1, 1, 3), modelWith(8), batch);
    QCOMPARE(findings.size(), std::size_t(1));
    QVERIFY(findings.front().severity == Severity::Note);
    QCOMPARE(text(findings.front().what), QString("the stages hold between 2 and 3 layers"));
    QCOMPARE(text(findings.front().mend),
             QString("an even split needs a pipeline-parallel size of 1, 2, 4 or 8"));
}

void LayoutRulesTest::oddTensorSizesAreANote()
{
    const auto findings = checkLayout(layoutOf(1, 3, 1), modelWith(4), batch);
    QCOMPARE(findings.size(), std::size_t(1));
    QVERIFY(findings.front().severity == Severity::Note &&
            text(findings.front().what).contains("no power of two"));
    ModelSpec model = modelWith(4);
    model.vocabulary = 5;
    const auto empty = checkLayout(layoutOf(1, 4, 1), model, batch);
    QCOMPARE(empty.size(), std::size_t(1));
    QVERIFY(text(empty.front().what).contains("no vocabulary entries"));
}

void LayoutRulesTest::allErrorsAreReportedAtOnce()
{
    const auto errors = errorsOf(checkLayout(layoutOf(3, 5, 9), modelWith(4), {16, 1, 99}, 8));
    QStringList places;
    for (const Diagnostic& error : errors)
        places << text(error.where);
    QCOMPARE(places, QStringList({"layout", "layout.tp", "layout.tp", "layout.pp",
                                  "training.globalBatch", "training.sequence"}));
}

QTEST_APPLESS_MAIN(LayoutRulesTest)
#include "layout_rules_test.moc"
