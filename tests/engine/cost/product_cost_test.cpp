#include <QtTest>

#include "engine/cost/gemm.h"
#include "tests/engine/cost/calibration_table.h"

#include <QRegularExpression>

#include <cmath>
#include <limits>
#include <random>

using namespace triaxis;

namespace
{

/// A size of any magnitude from 1 to 1e9.
double anySize(std::mt19937& random)
{
    return std::exp(std::uniform_real_distribution<double>(0, std::log(1e9))(random));
}

double numberIn(const QString& shape, const char* name)
{
    const QRegularExpression field(QString("\\b%1=(\\d+)").arg(name));
    return field.match(shape).captured(1).toDouble();
}

struct MeasuredProduct
{
    double ideal = 0;     ///< seconds at the share of the peak that was measured
    double predicted = 0; ///< seconds
};

std::vector<MeasuredProduct> measuredProducts(const QString& system, const QString& operation,
                                              const DeviceSpec& device)
{
    std::vector<MeasuredProduct> found;
    const NumberFormat format = NumberFormat::Bf16;
    const double peak = device.peakOf(format);
    for (const QStringList& row : measuredRows("calib_op_efficiency_simumax.csv")) {
        if (row[0] != system || row[1] != operation)
            continue;
        const auto size = [&](const char* name) { return numberIn(row[2], name); };
        const double efficiency = row[4].toDouble();
        if (operation == "matmul") {
            const double m = size("b") * size("m");
            found.push_back({2 * m * size("n") * size("k") / (peak * efficiency),
                             gemmSeconds(device, m, size("n"), size("k"), format)});
            continue;
        }
        // The table counts all scores, the kernels skip half of them.
        const double heads = size("batch") * size("head_num");
        const double sequence = size("seq_len");
        const double width = (size("qk_head_dim") + size("v_head_dim")) / 2;
        const bool backward = operation == "sdp_bwd";
        const double products = backward ? 5 : 2;
        found.push_back({2 * products * heads * sequence * sequence * width / (peak * efficiency),
                         attentionSeconds(device, heads, sequence, width, true, backward, format)});
    }
    return found;
}

/// Measured over predicted, of the rows of one half.
std::vector<double> ratios(const std::vector<MeasuredProduct>& rows, std::size_t half)
{
    std::vector<double> found;
    for (std::size_t i = half; i < rows.size(); i += 2)
        found.push_back(rows[i].ideal / rows[i].predicted);
    return found;
}

} // namespace

class ProductCostTest : public QObject
{
    Q_OBJECT

private slots:
    void neverBeatsThePeakOrTheMemory();
    void neverFasterForMore();
    void neverSlowerOnABetterDevice();
    void absurdSizesStayFinite();
    void largeProductsReachThePeak();
    void aWaveThatIsBarelyUsedCosts();
    void shallowAndThinProductsAreSlow();
    void attentionGrowsWithTheSquareOfTheSequence();
    void holdsToMeasuredEfficiencies_data();
    void holdsToMeasuredEfficiencies();
};

void ProductCostTest::neverBeatsThePeakOrTheMemory()
{
    std::mt19937 random(1);
    for (const DeviceSpec& device : devicePresets())
        for (int i = 0; i < 500; ++i) {
            const auto format = NumberFormat(random() % numberFormats);
            const double m = anySize(random), n = anySize(random), k = anySize(random);
            const double seconds = gemmSeconds(device, m, n, k, format);
            QVERIFY(seconds >= 2 * m * n * k / device.peakOf(format) * (1 - 1e-12));
            QVERIFY(seconds * device.memoryBandwidth >= bytesOf(format) * (m * k + k * n));
        }
}

void ProductCostTest::neverFasterForMore()
{
    std::mt19937 random(2);
    const NumberFormat format = NumberFormat::Bf16;
    for (const DeviceSpec& device : devicePresets())
        for (int i = 0; i < 1000; ++i) {
            const double m = anySize(random), n = anySize(random), k = anySize(random);
            const double more = 1 + std::exp2(-double(random() % 20));
            const double seconds = gemmSeconds(device, m, n, k, format);
            QVERIFY(gemmSeconds(device, more * m, n, k, format) >= seconds);
            QVERIFY(gemmSeconds(device, m, more * n, k, format) >= seconds);
            QVERIFY(gemmSeconds(device, m, n, more * k, format) >= seconds);
            const bool backward = i % 2 == 0;
            const double least =
                attentionSeconds(device, m, n, k, true, backward, format) * (1 - 1e-12);
            QVERIFY(attentionSeconds(device, more * m, n, k, true, backward, format) >= least);
            QVERIFY(attentionSeconds(device, m, more * n, k, true, backward, format) >= least);
            QVERIFY(attentionSeconds(device, m, n, more * k, true, backward, format) >= least);
            QVERIFY(attentionSeconds(device, m, n, k, false, backward, format) >= least);
        }
}

void ProductCostTest::neverSlowerOnABetterDevice()
{
    std::mt19937 random(3);
    for (const DeviceSpec& device : devicePresets())
        for (int i = 0; i < 300; ++i) {
            const auto format = NumberFormat(random() % numberFormats);
            const double m = anySize(random), n = anySize(random), k = anySize(random);
            DeviceSpec better = device;
            if (random() % 2 == 0)
                for (double& peak : better.peak)
                    peak *= 1.3;
            else
                better.memoryBandwidth *= 1.3;
            QVERIFY(gemmSeconds(better, m, n, k, format) <= gemmSeconds(device, m, n, k, format));
            QVERIFY(attentionSeconds(better, m, n, k, true, true, format) <=
                    attentionSeconds(device, m, n, k, true, true, format));
        }
}

void ProductCostTest::absurdSizesStayFinite()
{
    const double infinity = std::numeric_limits<double>::infinity();
    const DeviceSpec& device = devicePreset("h100-sxm");
    for (const double size :
         {-1.0, 0.0, 1e-9, 1.0, 1e9, 1e300, infinity, std::numeric_limits<double>::quiet_NaN()})
        for (const double other : {1.0, 1e9}) {
            const double product = gemmSeconds(device, size, other, size, NumberFormat::Fp8);
            QVERIFY(std::isfinite(product) && product >= 0);
            const double scores =
                attentionSeconds(device, other, size, size, true, true, NumberFormat::Bf16);
            QVERIFY(std::isfinite(scores) && scores >= 0);
        }
    QVERIFY(gemmSeconds(device, 1, 1, 1, NumberFormat::Bf16) > 0);
    QVERIFY(attentionSeconds(device, 1, 1, 1, true, false, NumberFormat::Bf16) > 0);
}

void ProductCostTest::largeProductsReachThePeak()
{
    const DeviceSpec& device = devicePreset("a100-80gb");
    const double seconds = gemmSeconds(device, 65536, 65536, 65536, NumberFormat::Bf16);
    const double share = 2 * std::pow(65536.0, 3) / 312e12 / seconds;
    QVERIFY2(share > 0.98 && share <= 1, QByteArray::number(share));
}

void ProductCostTest::aWaveThatIsBarelyUsedCosts()
{
    // 12 × 9 tiles of 256 × 128 fill the 108 units of an A100 once; one row of tiles more does not.
    const DeviceSpec& device = devicePreset("a100-80gb");
    const auto seconds = [&](double m) {
        return gemmSeconds(device, m, 1152, 16384, NumberFormat::Bf16);
    };
    QVERIFY(seconds(3073) > 1.02 * seconds(3072));
    QVERIFY(seconds(3073) < 2 * seconds(3072));
}

void ProductCostTest::shallowAndThinProductsAreSlow()
{
    const DeviceSpec& device = devicePreset("a100-80gb");
    const auto share = [&](double m, double n, double k) {
        return 2 * m * n * k / 312e12 / gemmSeconds(device, m, n, k, NumberFormat::Bf16);
    };
    QVERIFY(share(8192, 8192, 128) < 0.5 * share(8192, 8192, 8192));
    QVERIFY(share(32, 8192, 8192) < 0.3 * share(8192, 8192, 8192));
}

void ProductCostTest::attentionGrowsWithTheSquareOfTheSequence()
{
    const DeviceSpec& device = devicePreset("a100-80gb");
    const auto seconds = [&](double sequence, bool causal) {
        return attentionSeconds(device, 64, sequence, 128, causal, false, NumberFormat::Bf16);
    };
    const double ratio = seconds(65536, true) / seconds(32768, true);
    QVERIFY2(ratio > 3.95 && ratio < 4.01, QByteArray::number(ratio));
    QVERIFY(qFuzzyCompare(seconds(32768, false), 2 * seconds(32768, true)));
}

void ProductCostTest::holdsToMeasuredEfficiencies_data()
{
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("operation");
    QTest::addColumn<QString>("device");
    QTest::addColumn<double>("most");
    const auto row = [](const char* name, const char* system, const char* operation,
                        const char* device, double most) {
        QTest::newRow(name) << system << operation << device << most;
    };
    row("products, A100", "a100_pcie", "matmul", "a100-pcie-80gb", 0.045);
    row("products, B200", "b200_bf16_ceperm", "matmul", "b200", 0.12);
    row("attention, A100", "a100_pcie", "sdp_fwd", "a100-pcie-80gb", 0.10);
    row("attention, B200", "b200_bf16_ceperm", "sdp_fwd", "b200", 0.18);
    row("attention backward, A100", "a100_pcie", "sdp_bwd", "a100-pcie-80gb", 0.11);
    row("attention backward, B200", "b200_bf16_ceperm", "sdp_bwd", "b200", 0.15);
}

void ProductCostTest::holdsToMeasuredEfficiencies()
{
    QFETCH(QString, system);
    QFETCH(QString, operation);
    QFETCH(QString, device);
    QFETCH(double, most);
    const std::vector<MeasuredProduct> rows =
        measuredProducts(system, operation, devicePreset(device.toStdString()));
    if (rows.empty())
        QSKIP("the measured tables are not here");
    // One efficiency of the device is taken from one half and held against the other.
    const double scale = medianOf(ratios(rows, 0));
    double error = 0;
    const std::vector<double> held = ratios(rows, 1);
    for (const double ratio : held)
        error += std::fabs(scale / ratio - 1) / double(held.size());
    qInfo("reaches %.2f of the shape's rate; mean error %.1f%% of %zu", 1 / scale, 100 * error,
          held.size());
    QVERIFY2(error < most, QByteArray::number(error));
}

QTEST_APPLESS_MAIN(ProductCostTest)
#include "product_cost_test.moc"
