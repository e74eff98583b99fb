// With text of 200 % on a screen of 1280 × 800 everything can still be reached: dialogs are no
// larger than the screen, and pages scroll.

#include <QtTest>

#include "engine/record/demo_plan.h"
#include "tests/ui/support/own_settings.h"
#include "ui/history/days_dialog.h"
#include "ui/history/prune_dialog.h"
#include "ui/models/history_service.h"
#include "ui/plan/cluster_dialog.h"
#include "ui/plan/gallery_dialog.h"
#include "ui/report/export_dialog.h"
#include "ui/run/restart_dialog.h"
#include "ui/search/search_dialog.h"
#include "ui/search/what_if_dialog.h"
#include "ui/sweep/sweep_dialog.h"
#include "ui/theme/theme_controller.h"
#include "ui/timeline/shortcut_dialog.h"
#include "ui/window/glossary_dialog.h"
#include "ui/window/key_sheet.h"
#include "ui/window/main_window.h"
#include "ui/window/settings_popup.h"

#include <QApplication>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>

using namespace triaxis;
using namespace triaxis::ui;

class LargeTextTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<tests::OwnSettings> m_home;
    std::unique_ptr<ThemeController> m_theme;

    std::filesystem::path home() const { return m_home->folder().toStdString(); }
    static constexpr QSize room{1280 - 8, 800 - 36}; ///< within the frame of a window

    static DrawnPlan onCluster()
    {
        return withNetwork(drawnPlan(demoPlan()), clusterPreset("dgx-a100"));
    }

private slots:
    void init()
    {
        m_home = std::make_unique<tests::OwnSettings>();
        m_theme = std::make_unique<ThemeController>(*qApp);
        m_theme->setTextScale(2);
    }
    void cleanup()
    {
        m_theme->setTextScale(1);
        m_theme.reset();
    }

    void dialogsFitTheScreen()
    {
        HistoryService service(home());
        std::vector<std::unique_ptr<QWidget>> dialogs;
        dialogs.push_back(std::make_unique<GlossaryDialog>());
        dialogs.push_back(std::make_unique<KeySheet>());
        dialogs.push_back(std::make_unique<ShortcutDialog>());
        dialogs.push_back(std::make_unique<SweepDialog>(std::nullopt, home()));
        dialogs.push_back(std::make_unique<ExportDialog>(QStringLiteral("run"),
                                                         runExports(QStringLiteral("run"))));
        dialogs.push_back(std::make_unique<SearchDialog>(onCluster()));
        dialogs.push_back(std::make_unique<WhatIfDialog>(onCluster(), home()));
        dialogs.push_back(std::make_unique<GalleryDialog>());
        dialogs.push_back(std::make_unique<ClusterDialog>(onCluster().cluster));
        dialogs.push_back(std::make_unique<RestartDialog>(demoPlan(), true));
        dialogs.push_back(std::make_unique<DaysDialog>(QDate(2026, 1, 1), QDate(2026, 2, 1)));
        dialogs.push_back(std::make_unique<PruneDialog>(service));
        dialogs.push_back(std::make_unique<SettingsPopup>(*m_theme));
        QStringList large;
        for (const auto& dialog : dialogs) {
            dialog->ensurePolished();
            const QSize least = dialog->minimumSizeHint().expandedTo(dialog->minimumSize());
            const QSize screen = dialog->screen()->availableSize();
            if (dialog->isWindow() && !qobject_cast<SettingsPopup*>(dialog.get()) &&
                (dialog->width() > std::max(screen.width(), least.width()) ||
                 dialog->height() > std::max(screen.height(), least.height())))
                large << QStringLiteral("%1 begins with %2x%3")
                             .arg(dialog->objectName())
                             .arg(dialog->width())
                             .arg(dialog->height());
            if (least.width() > room.width() || least.height() > room.height())
                large << QStringLiteral("%1 %2x%3")
                             .arg(dialog->objectName())
                             .arg(least.width())
                             .arg(least.height());
        }
        QCOMPARE(large.join(QStringLiteral(", ")), QString());
    }

    void pagesScroll()
    {
        MainWindow window({demoPlan(), home(), "0.1.0"}, *m_theme);
        QVERIFY(window.minimumSizeHint().width() <= room.width());
        QVERIFY(window.minimumSizeHint().height() <= room.height());
        window.resize(1280, 800);
        window.show();
        QApplication::processEvents();
        auto* area = window.findChild<QScrollArea*>("pageScroll");
        QVERIFY(area->horizontalScrollBar()->maximum() > 0);
        QVERIFY(area->verticalScrollBar()->maximum() > 0);
        m_theme->setTextScale(1);
        QTRY_COMPARE(area->horizontalScrollBar()->maximum(), 0);
        QCOMPARE(area->verticalScrollBar()->maximum(), 0);
    }
};

QTEST_MAIN(LargeTextTest)
#include "large_text_test.moc"
