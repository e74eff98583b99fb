#include <QtTest>

#include "engine/cluster/device.h"
#include "engine/core/embedded_text.h"
#include "engine/core/error.h"

#include <set>

using namespace triaxis;

class DeviceTest : public QObject
{
    Q_OBJECT

private slots:
    void presetsAreWholeAndNamedOnce();
    void namesAsTablesPrintThemAreFound_data();
    void namesAsTablesPrintThemAreFound();
    void anUnknownNameIsRefusedWithTheKnownOnes();
    void formatsWithoutAUnitRunAtTheNextWiderRate();
    void formatsAreReadBack();
};

void DeviceTest::presetsAreWholeAndNamedOnce()
{
    std::set<std::string> names;
    for (const DeviceSpec& device : devicePresets()) {
        QVERIFY2(names.insert(device.name).second, device.name.c_str());
        QVERIFY2(!device.source.empty(), device.name.c_str());
        QVERIFY(device.memoryBytes > 0 && device.memoryBandwidth > 0 && device.computeUnits > 0);
        QVERIFY(device.pcieBandwidth > 0);
        for (std::size_t i = 0; i < numberFormats; ++i)
            QVERIFY(device.peakOf(NumberFormat(i)) > 1e12);
        QVERIFY(device.peakOf(NumberFormat::Fp8) >= device.peakOf(NumberFormat::Bf16));
        QVERIFY(device.peakOf(NumberFormat::Bf16) >= device.peakOf(NumberFormat::Fp32));
        QCOMPARE(&devicePreset(device.name), &device);
    }
}

void DeviceTest::namesAsTablesPrintThemAreFound_data()
{
    QTest::addColumn<QString>("device");
    const auto row = [](const char* printed, const char* device) {
        QTest::newRow(printed) << device;
    };
    row("A100-80GB (Selene)", "a100-80gb");
    row("A100-80GB, RoCE", "a100-80gb");
    row("A100", "a100-80gb");
    row("A100-SXM4-80GB", "a100-80gb");
    row("A100-PCIE-80GB", "a100-pcie-80gb");
    row("a100_40gb", "a100-40gb");
    row("A100 (that README says SXM 40GB)", "a100-40gb");
    row("A100 (config/validation/multi: inter_node 800 Gbps, intra_node 150 GB/s, node_size 8)",
        "a100-80gb");
    row("A800", "a800-80gb");
    row("DGX-2 V100", "v100-32gb");
    row("h100_80gb", "h100-sxm");
    row("H100-80GB 700W RoCE 400Gb", "h100-sxm");
    row("2x A3 (8xH100)", "h100-sxm");
    row("H100-96GB 500W", "h100-96gb");
    row("H100 NVL", "h100-nvl");
    row("H100 PCIe", "h100-pcie");
    row("2048 H800", "h800");
    row("H200 400Gb RDMA", "h200");
    row("H200-141GB", "h200");
    row("B200-SXM x8", "b200");
    row("DGX-B300", "b300");
    row("DGX-GB200", "gb200");
    row("DGX-GB300", "gb300");
    row("RTX4090", "rtx-4090");
    row("RTX6000Pro", "rtx-pro-6000");
    row("MI355X", "mi355x");
    row("TPU v5p", "tpu-v5p");
    row("8x v4-128", "tpu-v4");
}

void DeviceTest::namesAsTablesPrintThemAreFound()
{
    QFETCH(QString, device);
    QCOMPARE(devicePreset(QTest::currentDataTag()).name, device.toStdString());
}

void DeviceTest::anUnknownNameIsRefusedWithTheKnownOnes()
{
    for (const char* name : {"", "abacus", "-", "80GB"}) {
        try {
            devicePreset(name);
            QFAIL(name);
        } catch (const Error& error) {
            QVERIFY(error.remedy().find("a100-80gb") != std::string::npos);
        }
    }
}

void DeviceTest::formatsWithoutAUnitRunAtTheNextWiderRate()
{
    const DeviceSpec& volta = devicePreset("v100-32gb");
    QCOMPARE(volta.peakOf(NumberFormat::Bf16), volta.peakOf(NumberFormat::Fp32));
    QCOMPARE(volta.peakOf(NumberFormat::Fp8), 125e12);
    const DeviceSpec& ampere = devicePreset("a100-80gb");
    QCOMPARE(ampere.peakOf(NumberFormat::Fp4), 312e12);
    const DeviceSpec& tpu = devicePreset("tpu-v5p");
    QCOMPARE(tpu.peakOf(NumberFormat::Fp32), 459e12);
    QVERIFY(DeviceSpec().peakOf(NumberFormat::Bf16) > 0);
}

void DeviceTest::formatsAreReadBack()
{
    for (std::size_t i = 0; i < numberFormats; ++i)
        QCOMPARE(parseNumberFormat(toText(NumberFormat(i))), NumberFormat(i));
    QVERIFY_THROWS_EXCEPTION(Error, parseNumberFormat("int8"));
    QVERIFY_THROWS_EXCEPTION(Error, embeddedText("nothing"));
}

QTEST_APPLESS_MAIN(DeviceTest)
#include "device_test.moc"
