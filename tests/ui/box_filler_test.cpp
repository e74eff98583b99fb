#include <QtTest>

#include "ui/widgets/box_filler.h"

#include <QPainter>

using namespace triaxis;
using namespace triaxis::ui;

namespace
{

constexpr QRgb white = 0xFFFFFFFF;
constexpr QRgb black = 0xFF000000;

QImage sheet(int width = 40, int height = 30)
{
    QImage image(width, height, QImage::Format_RGB32);
    image.fill(white);
    return image;
}

/// Pixels that are black, those in part by their share.
double inked(const QImage& image)
{
    double sum = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            sum += (255 - qRed(image.pixel(x, y))) / 255.0;
    return sum;
}

void fillWith(QImage& image, const QRectF& box, double radius = 0, double scale = 1)
{
    QPainter painter(&image);
    painter.scale(scale, scale);
    auto filler = BoxFiller::on(painter);
    QVERIFY(filler.has_value());
    filler->fill(box, black, radius);
}

} // namespace

class BoxFillerTest : public QObject
{
    Q_OBJECT

private slots:
    void inksTheAreaOfTheBox_data()
    {
        QTest::addColumn<QRectF>("box");
        QTest::newRow("whole pixels") << QRectF(3, 4, 10, 5);
        QTest::newRow("between pixels") << QRectF(3.25, 4.5, 10.5, 5.125);
        QTest::newRow("within one pixel") << QRectF(3.25, 4.25, 0.5, 0.5);
        QTest::newRow("within one column") << QRectF(3.25, 4, 0.5, 6);
        QTest::newRow("within one row") << QRectF(3, 4.75, 12.25, 0.125);
        QTest::newRow("across an edge of pixels") << QRectF(3.75, 4.75, 0.5, 0.5);
        QTest::newRow("empty") << QRectF(3, 4, 0, 5);
        QTest::newRow("turned inside out") << QRectF(3, 4, -2, 5);
    }

    void inksTheAreaOfTheBox()
    {
        QFETCH(QRectF, box);
        QImage image = sheet();
        fillWith(image, box);
        const double area = box.width() > 0 && box.height() > 0 ? box.width() * box.height() : 0;
        // Each pixel at the rim is rounded to one part in 256.
        QVERIFY2(std::abs(inked(image) - area) < 0.1, qPrintable(QString::number(inked(image))));
    }

    void keepsToTheImage_data()
    {
        QTest::addColumn<QRectF>("box");
        QTest::addColumn<double>("area");
        QTest::newRow("larger than all") << QRectF(-1e9, -1e9, 2e9, 2e9) << 1200.0;
        QTest::newRow("over the corner") << QRectF(-5, -5, 10, 10) << 25.0;
        QTest::newRow("beyond") << QRectF(1e6, 1e6, 5, 5) << 0.0;
        QTest::newRow("not a number") << QRectF(std::nan(""), 0, 5, 5) << 0.0;
    }

    void keepsToTheImage()
    {
        QFETCH(QRectF, box);
        QFETCH(double, area);
        QImage image = sheet();
        fillWith(image, box);
        QVERIFY2(std::abs(inked(image) - area) < 0.1, qPrintable(QString::number(inked(image))));
    }

    void looksLikeThePaintersBox()
    {
        for (const double radius : {0.0, 1.0, 2.0, 4.0}) {
            const int apart = radius > 0 ? 56 : 8; // a corner is drawn in by rows
            const QRectF box(3.3, 4.6, 21.4, 12.2);
            QImage own = sheet();
            fillWith(own, box, radius);
            QImage painted = sheet();
            {
                QPainter painter(&painted);
                painter.setRenderHint(QPainter::Antialiasing);
                painter.setPen(Qt::NoPen);
                painter.setBrush(Qt::black);
                painter.drawRoundedRect(box, radius, radius);
            }
            for (int y = 0; y < own.height(); ++y)
                for (int x = 0; x < own.width(); ++x)
                    QVERIFY2(std::abs(qRed(own.pixel(x, y)) - qRed(painted.pixel(x, y))) < apart,
                             qPrintable(QString("%1, %2 at radius %3").arg(x).arg(y).arg(radius)));
            QVERIFY(std::abs(inked(own) - inked(painted)) < 2);
        }
    }

    void followsTheScaleAndTheResolution()
    {
        QImage image = sheet(80, 60);
        image.setDevicePixelRatio(2);
        fillWith(image, QRectF(2, 3, 4, 5), 0, 1.5);
        QVERIFY(std::abs(inked(image) - 4 * 5 * 9) < 0.1);
        QCOMPARE(image.pixel(6, 9), black);
        QCOMPARE(image.pixel(5, 9), white);
    }

    void tilesGoOnFromBoxToBox()
    {
        QImage tile(3, 3, QImage::Format_RGB32);
        tile.fill(white);
        for (int i = 0; i < 3; ++i)
            tile.setPixel(i, i, black);
        QImage image = sheet();
        QPainter painter(&image);
        auto filler = BoxFiller::on(painter);
        QVERIFY(filler.has_value());
        filler->fillTiled(QRectF(4, 4, 7, 20), tile);
        filler->fillTiled(QRectF(11, 4, 8, 20), tile);
        for (int y = 4; y < 24; ++y)
            for (int x = 4; x < 19; ++x)
                QCOMPARE(image.pixel(x, y), x % 3 == y % 3 ? black : white);
    }

    void columnsMixTheirLayersExactly_data()
    {
        QTest::addColumn<double>("scale");
        QTest::newRow("a column a pixel") << 1.0;
        QTest::newRow("several columns a pixel") << 0.6;
        QTest::newRow("several pixels a column") << 1.8;
    }

    void columnsMixTheirLayersExactly()
    {
        QFETCH(double, scale);
        StackedColumns stack{3.3, 12.4, {2, 3, 4, 5.5, 6, 7}, {Ink::Forward, Ink::Wait}, {}};
        for (const float height : {1.25f, 3.5f, 12.4f, 0.f, 0.f, 2.f, 0.3f, 0.4f, 6.f, 6.4f})
            stack.heights.push_back(height);
        QImage image = sheet();
        QPainter painter(&image);
        painter.scale(scale, scale);
        auto filler = BoxFiller::on(painter);
        QVERIFY(filler.has_value());
        constexpr QRgb red = 0xFFFF0000;
        filler->fill(stack, {red, black});
        double dark = 0; // neither red nor white
        double coloured = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                dark += (255 - qRed(image.pixel(x, y))) / 255.0;
                coloured += (255 - qGreen(image.pixel(x, y))) / 255.0;
            }
        const double black = stack.area(Ink::Wait) * scale * scale;
        const double whole = black + stack.area(Ink::Forward) * scale * scale;
        QVERIFY2(std::abs(dark - black) < 0.15, qPrintable(QString::number(dark - black)));
        QVERIFY2(std::abs(coloured - whole) < 0.15, qPrintable(QString::number(coloured - whole)));
    }

    void columnsOutsideOfTheImageArePassedOver()
    {
        StackedColumns stack{-20, 200, {-5, 0, 20, 90}, {Ink::Forward}, {150, 200, 20}};
        QImage image = sheet();
        QPainter painter(&image);
        auto filler = BoxFiller::on(painter);
        QVERIFY(filler.has_value());
        filler->fill(stack, {black});
        QVERIFY(std::abs(inked(image) - 20 * 30) < 0.1);
        stack.top = 1e6;
        filler->fill(stack, {black});
        QVERIFY(std::abs(inked(image) - 20 * 30) < 0.1);
    }

    void leavesToThePainterWhatItCannotDo()
    {
        QImage image = sheet();
        QImage translucent(4, 4, QImage::Format_ARGB32_Premultiplied);
        QPixmap pixmap(4, 4);
        QVERIFY(!BoxFiller::on(QPainter(&translucent)));
        QVERIFY(!BoxFiller::on(QPainter(&pixmap)));
        QPainter painter(&image);
        QVERIFY(BoxFiller::on(painter));
        painter.setClipRect(0, 0, 4, 4);
        QVERIFY(!BoxFiller::on(painter));
        painter.setClipping(false);
        painter.setOpacity(0.5);
        QVERIFY(!BoxFiller::on(painter));
        painter.setOpacity(1);
        painter.rotate(3);
        QVERIFY(!BoxFiller::on(painter));
    }
};

QTEST_MAIN(BoxFillerTest)
#include "box_filler_test.moc"
