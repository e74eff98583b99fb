#include <QtTest>

#include "engine/timeline/display_list.h"

using namespace triaxis;

class TestPalette : public QObject
{
    Q_OBJECT

private slots:
    void contrastFollowsWcag()
    {
        QVERIFY(std::abs(contrastRatio(0xFFFFFF, 0x000000) - 21) < 1e-9);
        QVERIFY(std::abs(contrastRatio(0x767676, 0xFFFFFF) - 4.54) < 0.01);
        QCOMPARE(contrastRatio(0x123456, 0x123456), 1.0);
    }

    void labelsAreReadableOnEverySpanColour()
    {
        for (const Palette* palette : {&lightPalette(), &darkPalette(), &highContrastPalette()}) {
            for (int category = 0; category < categoryCount; ++category) {
                const std::uint32_t fill = palette->of(inkOf(Category(category)));
                QVERIFY2(contrastRatio(labelColourOn(fill), fill) >= 4.5,
                         toText(Category(category)));
            }
        }
    }

    void labelsAreReadableOnAnyColour()
    {
        for (std::uint32_t grey = 0; grey < 256; ++grey) {
            for (const std::uint32_t colour : {grey * 0x10101, grey << 16, grey << 8, grey})
                QVERIFY(contrastRatio(labelColourOn(colour), colour) >= 4.5);
        }
    }

    void textIsReadableOnBackgroundAndIdle()
    {
        for (const Palette* palette : {&lightPalette(), &darkPalette(), &highContrastPalette()}) {
            for (const Ink ink : {Ink::Text, Ink::MutedText, Ink::Accent}) {
                QVERIFY(contrastRatio(palette->of(ink), palette->of(Ink::Background)) >= 4.5);
                QVERIFY(contrastRatio(palette->of(ink), palette->of(Ink::Idle)) >= 4.5);
            }
        }
    }

    void coloursOfSpansDifferFromIdle()
    {
        for (const Palette* palette : {&lightPalette(), &darkPalette(), &highContrastPalette()}) {
            for (int category = 0; category < int(Category::Wait); ++category)
                QVERIFY2(contrastRatio(palette->of(inkOf(Category(category))),
                                       palette->of(Ink::Idle)) > 1.9,
                         toText(Category(category)));
        }
    }

    void forwardTakesWhiteAndTheOthersTakeWhatReads()
    {
        QCOMPARE(labelColourOn(lightPalette().of(Ink::Forward)), 0xFFFFFFu);
        QCOMPARE(labelColourOn(lightPalette().of(Ink::Backward)), 0x0B0F14u);
    }

    void blendMixesOverTheBackground()
    {
        const Palette& palette = lightPalette();
        QCOMPARE(blend(palette, Ink::Accent, 1), palette.of(Ink::Accent));
        QCOMPARE(blend(palette, Ink::Accent, 0), palette.of(Ink::Background));
        QCOMPARE(blend(palette, Ink::Text, 0.5), 0x8D9094u);
        const DrawText label{0, 0, "x", Ink::Accent, 12, Align::Left, false, true, 0.2};
        QVERIFY(contrastRatio(colourOf(label, palette), blend(palette, Ink::Accent, 0.2)) >= 4.5);
    }

    void everyKindHasACategoryAndAName()
    {
        for (int kind = 0; kind <= int(Kind::TensorCollective); ++kind)
            QVERIFY(categoryOf(Kind(kind)) != Category::Idle);
        for (int category = 0; category < categoryCount; ++category)
            QVERIFY(*toText(Category(category)));
        for (int category = 0; category < memoryCategoryCount; ++category)
            QVERIFY(*toText(MemoryCategory(category)));
    }
};

QTEST_APPLESS_MAIN(TestPalette)
#include "test_palette.moc"
