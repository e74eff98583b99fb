// Painting of the floor: 16,384 devices at 1920 × 1080, the whole picture anew at each zoom, and
// the tables of an edit. Usage: QT_QPA_PLATFORM=offscreen bench_floor

#include "tests/bench/bench_timer.h"
#include "ui/plan/floor_scene.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>
#include <QPixmap>

#include <algorithm>
#include <cstdio>

using namespace triaxis;
using namespace triaxis::ui;

namespace
{

constexpr QSize window(1920, 1080);

FloorModel largeFloor(int tp)
{
    Layout layout;
    layout.tp = tp;
    layout.pp = 16;
    layout.dp = 16384 / 16 / tp;
    FloorModel model = floorModelOf(layout, 8);
    model.memoryBytes.resize(16384);
    for (int rank = 0; rank < 16384; ++rank)
        model.memoryBytes[std::size_t(rank)] = 40 + rank % 37 + (rank % 500 == 0 ? 20 : 0);
    model.capacityBytes = {80};
    model.notices = {{Severity::Warning, "slow link", 17, -1}};
    return model;
}

void reportPaints(int tp)
{
    const FloorIndex floor(largeFloor(tp));
    const FloorGeometry geometry(floor, {}, window, fontScale());
    const double fit = std::min(window.width() / geometry.size().width(),
                                window.height() / geometry.size().height());
    QPixmap picture(window);
    FloorSprites sprites;
    double worst = 0;
    for (const double zoom :
         {fit * 0.5, fit, fit * 2, 0.12, 0.18, 0.24, 0.28, 0.4, 0.58, 0.8, 1.0, 2.0, 4.0}) {
        const QSizeF all = geometry.size() * zoom;
        const QPointF origin((window.width() - all.width()) / 2,
                             (window.height() - all.height()) / 2);
        const FloorScene scene(floor, geometry, lightTheme(), sprites, zoom, origin, window);
        const auto paint = [&] {
            picture.fill(lightTheme().panel);
            QPainter painter(&picture);
            paintFloor(painter, scene);
        };
        const double seconds = bench::fastest(0.3, paint);
        worst = std::max(worst, seconds);
        std::printf("  zoom %6.3f, cells of %3d px: %6.2f ms\n", zoom, scene.cellPixels().width(),
                    seconds * 1e3);
        const double lit = bench::fastest(0.1, [&] {
            QPainter painter(&picture);
            paintLit(painter, scene, 8200);
        });
        if (lit > seconds)
            std::printf("    one rank lit: %6.2f ms\n", lit * 1e3);
    }
    std::printf("tensor %d: worst %.2f ms\n", tp, worst * 1e3);
}

} // namespace

int main(int count, char** arguments)
{
    QApplication application(count, arguments);
    QApplication::setFont(applicationFont(1.0));
    for (const int tp : {8, 1})
        reportPaints(tp);
    const FloorModel model = largeFloor(8);
    std::printf("tables of a new model: %6.2f ms\n",
                bench::fastest(0.3, [&] { FloorIndex floor(model); }) * 1e3);
    const FloorIndex floor(model);
    std::printf("geometry, unfolded: %6.2f ms, folded: %6.2f ms\n",
                bench::fastest(0.2, [&] { FloorGeometry(floor, {}, window, 1); }) * 1e3,
                bench::fastest(0.2, [&] {
                    FloorGeometry(floor, {true, {}}, window, 1);
                }) * 1e3);
    return 0;
}
