#include <QtTest>

#include "engine/core/error.h"
#include "engine/cost/bubble_oracle.h"
#include "engine/cost/validation.h"

#include <cmath>
#include <filesystem>

namespace
{

using namespace triaxis;

const std::string vtrainHeader = "gpus,gbs,mbs,hidden,heads,layers,seq_len,tp,dp,pp,iter_time_ms,"
                                 "gpu,schedule,activation_checkpointing,framework,source\n";

std::string vtrainRow(int tp, int dp, int pp, const std::string& milliseconds)
{
    return std::to_string(tp * dp * pp) + ",16,2,1024,16,12,1024," + std::to_string(tp) + "," +
           std::to_string(dp) + "," + std::to_string(pp) + "," + milliseconds +
           ",A100 (config/validation/single),1f1b (config),true (config),Megatron-DeepSpeed,\"a, "
           "quoted source\"\n";
}

Validation priced(const std::string& text)
{
    return validate(parseMeasuredTable(text, "vtrain_megatron_deepspeed_single_node"));
}

std::filesystem::path sharedTable(const char* name)
{
    const QByteArray folder = qgetenv("TRIAXIS_SHARED");
    return folder.isEmpty() ? std::filesystem::path()
                            : std::filesystem::path(folder.toStdString()) / "published" / name;
}

} // namespace

class ValidationTest : public QObject
{
    Q_OBJECT

private slots:
    void errorsRanksAndPicksFollowTheMeasurements()
    {
        // Measured values that are the predictions themselves: no error, right order.
        Validation first = priced(vtrainHeader + vtrainRow(1, 4, 1, "100") +
                                  vtrainRow(2, 2, 1, "100") + vtrainRow(4, 1, 1, "100"));
        QCOMPARE(first.rows, 3);
        QCOMPARE(first.skipped, 0);
        std::string text = vtrainHeader;
        std::string reversed = vtrainHeader;
        std::vector<double> times;
        for (const PricedCase& run : first.priced) {
            times.push_back(run.estimate->seconds * 1000);
        }
        const int sizes[][3] = {{1, 4, 1}, {2, 2, 1}, {4, 1, 1}};
        for (int row = 0; row < 3; ++row) {
            text +=
                vtrainRow(sizes[row][0], sizes[row][1], sizes[row][2], std::to_string(times[row]));
            reversed += vtrainRow(sizes[row][0], sizes[row][1], sizes[row][2],
                                  std::to_string(1e5 / times[row]));
        }
        const Validation exact = priced(text);
        QVERIFY(exact.model.error.mean < 1e-6);
        QCOMPARE(exact.model.rank.value(), 1.0);
        QCOMPARE(exact.model.pick.value(), 0.0);
        const Validation wrong = priced(reversed);
        QCOMPARE(wrong.model.rank.value(), 0.0);
        QVERIFY(wrong.model.pick.value() > 0);
        QVERIFY(wrong.model.error.mean > 0.01);
    }

    void rowsThatCannotBePricedAreListedWithTheReason()
    {
        const Validation table =
            priced(vtrainHeader + vtrainRow(1, 4, 1, "100") + vtrainRow(3, 1, 1, "100") +
                   vtrainRow(1, 2, 1, "fast") + vtrainRow(1, 1, 1, ""));
        QCOMPARE(table.rows, 1);
        QCOMPARE(table.skipped, 3);
        for (const UnpricedRow& row : table.unpriced) {
            QVERIFY(!row.reason.empty());
        }
    }

    void bothHalvesAreScored()
    {
        std::string text = vtrainHeader;
        for (int row = 0; row < halvesFrom; ++row)
            text += vtrainRow(1, 4, 1, row % 2 == 0 ? "100" : "200");
        const Validation table = priced(text);
        QVERIFY(table.halves);
        const double first = validate(halfOf(parseMeasuredTable(text, "t"), 0)).model.error.mean;
        const double second = validate(halfOf(parseMeasuredTable(text, "t"), 1)).model.error.mean;
        QCOMPARE(table.halves->first.mean, first);
        QCOMPARE(table.halves->second.mean, second);
        QVERIFY(table.halves->apart() > 0);
        QVERIFY(!priced(vtrainHeader + vtrainRow(1, 4, 1, "100")).halves);
    }

    void onlyRowsThatStateEnoughCountForTheShare()
    {
        // The second lacks its result; the third states one, of a layout that cannot be.
        const Validation table = priced(vtrainHeader + vtrainRow(1, 4, 1, "100") +
                                        vtrainRow(1, 4, 1, "") + vtrainRow(3, 1, 1, "100"));
        QCOMPARE(table.rows, 1);
        QCOMPARE(table.stating, 2);
        QCOMPARE(table.skipped, 2);
    }

    void readsWhatSpreadsheetsWrite()
    {
        std::string text = "\xEF\xBB\xBF" + vtrainHeader + vtrainRow(1, 4, 1, "100");
        for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
            text.replace(at, 1, "\r\n");
        }
        QCOMPARE(priced(text).rows, 1);
    }

    void refusesWhatIsNoTable()
    {
        QVERIFY_THROWS_EXCEPTION(Error, parseMeasuredTable("", "empty"));
        QVERIFY_THROWS_EXCEPTION(Error, parseMeasuredTable("a,b\n1,2\n", "unknown"));
        QVERIFY_THROWS_EXCEPTION(Error, readMeasuredTable("/nowhere/table.csv"));
    }

    void sharedTablesStayWithinTheirLimits_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<double>("limit");
        QTest::newRow("Korthikanti times") << "korthikanti_table5_iteration_time.csv" << 0.03;
        QTest::newRow("Korthikanti activations") << "korthikanti_fig1_fig7_memory.csv" << 0.02;
        QTest::newRow("SC'21") << "megatron_sc21_table1.csv" << 0.034;
        QTest::newRow("Llama 3") << "llama3_405b_table4.csv" << 0.05;
        QTest::newRow("Megatron Core H100") << "megatron_core_h100_weak_scaling.csv" << 0.05;
        QTest::newRow("vTrain, one node") << "vtrain_megatron_deepspeed_single_node.csv" << 0.08;
        QTest::newRow("vTrain, many nodes") << "vtrain_megatron_deepspeed_multi_node.csv" << 0.09;
        QTest::newRow("BLOOM") << "bloom_topology_search_a100.csv" << 0.06;
        QTest::newRow("zero bubble") << "zero_bubble_tables_3_4_5.csv" << 0.05;
    }

    void sharedTablesStayWithinTheirLimits()
    {
        QFETCH(QString, file);
        QFETCH(double, limit);
        const std::filesystem::path path = sharedTable(file.toLatin1());
        if (path.empty() || !std::filesystem::exists(path)) {
            QSKIP("the shared tables are not here");
        }
        const Validation table = validate(readMeasuredTable(path));
        QVERIFY2(table.model.error.mean <= limit,
                 qPrintable(QString::number(table.model.error.mean)));
        if (table.halves)
            QVERIFY2(table.halves->apart() <= halvesApart,
                     qPrintable(QString("%1 and %2")
                                    .arg(table.halves->first.mean)
                                    .arg(table.halves->second.mean)));
        QVERIFY(table.rows >= 0.9 * table.stating);
    }

    /// From profiled pass times the paper's own bubble rates: four digits.
    void publishedBubbleRatesAreMet()
    {
        const std::filesystem::path path = sharedTable("zero_bubble_tables_3_4_5.csv");
        if (path.empty() || !std::filesystem::exists(path)) {
            QSKIP("the shared tables are not here");
        }
        QFile times(QString::fromStdString(
            sharedTable("zero_bubble_table_9_profiled_pass_times.csv").string()));
        QVERIFY(times.open(QIODevice::ReadOnly));
        const Validation table = validate(
            readMeasuredTable(path), parsePassTimes(times.readAll().toStdString(), "pass times"));
        int compared = 0;
        for (const PricedCase& run : table.priced) {
            for (const PricedTarget& target : run.targets) {
                const bool exact =
                    run.run.plan.schedule == "1f1b" || run.run.plan.schedule == "zb-h1";
                const bool interleaved = run.run.plan.schedule == "interleaved";
                if (target.target.quantity != Quantity::BubbleRate || (!exact && !interleaved)) {
                    continue;
                }
                ++compared;
                QVERIFY2(
                    std::abs(target.error) <= (exact ? 5.05e-5 : 0.004),
                    qPrintable(QString("%1: %2").arg(run.run.label.c_str()).arg(target.error)));
            }
        }
        QVERIFY(compared >= 20);
    }
};

QTEST_APPLESS_MAIN(ValidationTest)
#include "validation_test.moc"
