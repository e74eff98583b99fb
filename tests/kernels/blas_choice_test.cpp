#include "kernels/blas_choice.h"

#include <QTest>

using triaxis::kernels::betterBlasKernel;

class BlasChoiceTest : public QObject
{
    Q_OBJECT

private slots:
    void aPresetAlwaysWins() { QCOMPARE(betterBlasKernel("Prescott", "Haswell", true, true), std::string()); }
    void aModernKernelIsLeftAlone()
    {
        for (const char* kernel : {"Haswell", "Zen", "SkylakeX", "Cooperlake", "SapphireRapids"})
            QCOMPARE(betterBlasKernel(kernel, nullptr, true, true), std::string());
    }
    void anOldKernelIsReplacedByWhatTheProcessorCan()
    {
        QCOMPARE(betterBlasKernel("Prescott", nullptr, true, true), std::string("SkylakeX"));
        QCOMPARE(betterBlasKernel("Prescott", "", false, true), std::string("Haswell"));
        QCOMPARE(betterBlasKernel("Nehalem", nullptr, false, false), std::string());
    }
};

QTEST_APPLESS_MAIN(BlasChoiceTest)
#include "blas_choice_test.moc"
