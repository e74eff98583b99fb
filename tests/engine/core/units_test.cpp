#include "engine/core/units.h"

#include <QTest>
#include <clocale>
#include <cmath>
#include <functional>
#include <limits>

using namespace triaxis;

namespace
{

/// The thin space is written as "_" in the expectations, so that they can be read.
QString shown(const std::string& text)
{
    return QString::fromUtf8(text.c_str()).replace(QChar(0x202f), "_");
}

} // namespace

class UnitsTest : public QObject
{
    Q_OBJECT

private slots:
    void secondsAdaptTheirUnit_data();
    void secondsAdaptTheirUnit();
    void bytesAreBinary_data();
    void bytesAreBinary();
    void ratesAreDecimal();
    void countsGroupSmallNumbersAndShortenLargeOnes_data();
    void countsGroupSmallNumbersAndShortenLargeOnes();
    void percentagesKeepThreeDigits();
    void valuesThatAreNoNumbersAreShownAsSuch();
    void neverShowsMoreThanThreeDigitsOfAScaledValue();
    void theLocaleOfTheProcessDoesNotMatter();
};

void UnitsTest::secondsAdaptTheirUnit_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << 0.0 << "0_s";
    QTest::newRow("nanoseconds") << 3.2e-8 << "32_ns";
    QTest::newRow("below one nanosecond") << 4.5e-10 << "0.45_ns";
    QTest::newRow("microseconds") << 4.12e-4 << "412_µs";
    QTest::newRow("milliseconds") << 0.2171 << "217_ms";
    QTest::newRow("rounds up into the next unit") << 0.9996 << "1_s";
    QTest::newRow("stays below the next unit") << 0.9994 << "999_ms";
    QTest::newRow("exactly one") << 1e-3 << "1_ms";
    QTest::newRow("seconds") << 4.018 << "4.02_s";
    QTest::newRow("two digits") << 12.34 << "12.3_s";
    QTest::newRow("just below a minute") << 59.4 << "59.4_s";
    QTest::newRow("a minute by rounding") << 59.7 << "1_min";
    QTest::newRow("minutes") << 131.2 << "2_min 11_s";
    QTest::newRow("an hour by rounding") << 3599.8 << "1_h";
    QTest::newRow("hours") << 11520.0 << "3_h 12_min";
    QTest::newRow("days") << 187200.0 << "2_d 4_h";
    QTest::newRow("negative") << -0.25 << QString::fromUtf8("−250_ms");
}

void UnitsTest::secondsAdaptTheirUnit()
{
    QFETCH(double, value);
    QFETCH(QString, text);
    QCOMPARE(shown(units::seconds(value)), text);
}

void UnitsTest::bytesAreBinary_data()
{
    QTest::addColumn<qint64>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << qint64(0) << "0_B";
    QTest::newRow("bytes") << qint64(999) << "999_B";
    QTest::newRow("four digits go to the next unit") << qint64(1000) << "0.977_KiB";
    QTest::newRow("one kibibyte") << qint64(1024) << "1_KiB";
    QTest::newRow("mebibytes") << qint64(312) * 1048576 << "312_MiB";
    QTest::newRow("gibibytes") << qint64(76557346406) << "71.3_GiB";
    QTest::newRow("largest") << std::numeric_limits<qint64>::max() << "8_EiB";
    QTest::newRow("smallest") << std::numeric_limits<qint64>::min() << QString::fromUtf8("−8_EiB");
}

void UnitsTest::bytesAreBinary()
{
    QFETCH(qint64, value);
    QFETCH(QString, text);
    QCOMPARE(shown(units::bytes(value)), text);
}

void UnitsTest::ratesAreDecimal()
{
    QCOMPARE(shown(units::bytesPerSecond(9.6e9)), QString("9.6_GB/s"));
    QCOMPARE(shown(units::bytesPerSecond(0)), QString("0_B/s"));
    QCOMPARE(shown(units::bytesPerSecond(1500)), QString("1.5_kB/s"));
    QCOMPARE(shown(units::flopsPerSecond(1.824e11)), QString("182_GFLOP/s"));
    QCOMPARE(shown(units::flopsPerSecond(9.895e14)), QString("990_TFLOP/s"));
}

void UnitsTest::countsGroupSmallNumbersAndShortenLargeOnes_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << 0.0 << "0";
    QTest::newRow("fraction") << 3.14159 << "3.14";
    QTest::newRow("small") << 941.0 << "941";
    QTest::newRow("grouped") << 9410.0 << "9,410";
    QTest::newRow("thousand by rounding") << 999.7 << "1,000";
    QTest::newRow("last grouped") << 9999.0 << "9,999";
    QTest::newRow("thousands") << 65100.0 << "65.1_k";
    QTest::newRow("millions") << 124439808.0 << "124_M";
    QTest::newRow("billions") << 1.2e9 << "1.2_B";
    QTest::newRow("trillions") << 2.5e12 << "2.5_T";
    QTest::newRow("negative") << -9410.0 << QString::fromUtf8("−9,410");
}

void UnitsTest::countsGroupSmallNumbersAndShortenLargeOnes()
{
    QFETCH(double, value);
    QFETCH(QString, text);
    QCOMPARE(shown(units::count(value)), text);
}

void UnitsTest::percentagesKeepThreeDigits()
{
    QCOMPARE(shown(units::percent(0.194)), QString("19.4_%"));
    QCOMPARE(shown(units::percent(1)), QString("100_%"));
    QCOMPARE(shown(units::percent(0)), QString("0_%"));
    QCOMPARE(shown(units::percent(0.00041)), QString("0.041_%"));
    QCOMPARE(shown(units::percent(0.99996)), QString("100_%"));
}

void UnitsTest::valuesThatAreNoNumbersAreShownAsSuch()
{
    const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
    for (const auto& text : {units::seconds, units::count, units::percent, units::bytesPerSecond})
        QCOMPARE(shown(text(nan)), QString::fromUtf8("–"));
    QCOMPARE(shown(units::seconds(infinity)), QString::fromUtf8("∞"));
    QCOMPARE(shown(units::count(-infinity)), QString::fromUtf8("−∞"));
}

void UnitsTest::neverShowsMoreThanThreeDigitsOfAScaledValue()
{
    for (double value = 1.1e-9; value < 50; value *= 1.0137) {
        const QString text = shown(units::seconds(value));
        int digits = 0;
        for (const QChar c : text)
            digits += c.isDigit();
        QVERIFY2(digits >= 1 && digits <= 4 && text.contains("_"), qPrintable(text));
        const QString number = text.section('_', 0, 0);
        const double scale = text.endsWith("ns")   ? 1e-9
                             : text.endsWith("µs") ? 1e-6
                             : text.endsWith("ms") ? 1e-3
                                                   : 1;
        QVERIFY2(std::fabs(number.toDouble() * scale / value - 1) < 0.0051, qPrintable(text));
        QVERIFY2(number.toDouble() < 1000, qPrintable(text));
    }
}

/// In addition to the scan of the sources for functions that heed the locale, where a locale with a
/// decimal comma is installed.
void UnitsTest::theLocaleOfTheProcessDoesNotMatter()
{
    const std::string before = std::setlocale(LC_ALL, nullptr);
    bool found = false;
    for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "pl_PL.UTF-8", "ru_RU.UTF-8"}) {
        if (!std::setlocale(LC_ALL, name))
            continue;
        found = true;
        QCOMPARE(shown(units::seconds(4.02)), QString("4.02_s"));
        QCOMPARE(shown(units::bytes(74'800'000'000)), QString("69.7_GiB"));
        QCOMPARE(shown(units::percent(0.194)), QString("19.4_%"));
    }
    std::setlocale(LC_ALL, before.c_str());
    qInfo("a locale with a decimal comma was %s", found ? "tried" : "not installed");
}

QTEST_APPLESS_MAIN(UnitsTest)
#include "units_test.moc"
