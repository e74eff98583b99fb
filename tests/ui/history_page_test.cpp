// The History page as a person uses it: by mouse, by key, and over windows.

#include <QtTest>

#include "tests/ui/support/own_settings.h"
#include "tests/ui/support/stored_run.h"

#include "ui/history/filter_bar.h"
#include "ui/history/history_jobs.h"
#include "ui/history/history_list.h"
#include "ui/history/history_table.h"
#include "ui/history/prune_dialog.h"
#include "ui/history/run_details.h"
#include "ui/history/run_edits.h"
#include "ui/history/tag_editor.h"
#include "ui/models/history_model.h"
#include "ui/models/history_service.h"
#include "ui/pages/history_page.h"
#include "ui/theme/fonts.h"
#include "ui/widgets/banner.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QToolButton>

using namespace triaxis;
using namespace triaxis::ui;

namespace
{

constexpr int patience = 20000;

} // namespace

#define EVENTUALLY(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, patience)

class HistoryPageTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<tests::OwnSettings> m_settings;
    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<HistoryService> m_service;
    std::unique_ptr<HistoryPage> m_page;
    std::unique_ptr<QAbstractItemModelTester> m_tester;

    std::filesystem::path home() const { return m_home->path().toStdString(); }

    QString store(const std::string& label, int dp, int tp, int pp, int steps = 3)
    {
        RunPlan plan = tests::smallPlan(dp, tp, pp, 4);
        plan.label = label;
        return QString::fromStdString(
            tests::storeFinishedRun(home(), plan, steps).filename().string());
    }

    void open()
    {
        m_service = std::make_unique<HistoryService>(home());
        m_page = std::make_unique<HistoryPage>(*m_service);
        m_tester = std::make_unique<QAbstractItemModelTester>(
            m_page->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        m_page->resize(1240, 760);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
        table()->setFocus();
    }

    void close()
    {
        m_tester.reset();
        if (m_page)
            m_page->hide();
        m_page.reset();
        m_service.reset();
    }

    HistoryTable* table() const { return m_page->list()->table(); }
    HistoryModel* model() const { return m_page->model(); }
    QAction* action(HistoryActions::Command command) const { return m_page->actions()[command]; }
    QString label(int row) const
    {
        return model()->index(row, HistoryModel::Label).data().toString();
    }
    bool starred(int row) const
    {
        const RunSummary* run = model()->runAt(row);
        return run != nullptr && run->starred;
    }
    QStringList tagsOf(int row) const
    {
        return model()->index(row, 0).data(HistoryModel::tagsRole).toStringList();
    }
    void showRows(int rows) { QTRY_COMPARE_WITH_TIMEOUT(model()->rowCount(), rows, patience); }
    template <class T>
    T* child(const char* name) const
    {
        T* found = m_page->findChild<T*>(name);
        if (found == nullptr)
            qFatal("there is no %s", name);
        return found;
    }
    QString told() const { return m_page->findChild<Banner*>()->title(); }
    /// Chooses the entry that begins with `text` in the menu of a filter.
    void choose(const char* filter, const QString& text)
    {
        QMenu* menu = child<QPushButton>(filter)->menu();
        emit menu->aboutToShow();
        for (QAction* entry : menu->actions())
            if (entry->text().startsWith(text)) {
                entry->trigger();
                return;
            }
        QFAIL(qPrintable("no entry " + text));
    }
    void key(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QWidget* focused = QApplication::focusWidget();
        QTest::keyClick(focused ? focused : table(), Qt::Key(key), modifiers);
    }

private slots:
    void init()
    {
        m_settings = std::make_unique<tests::OwnSettings>();
        m_home = std::make_unique<QTemporaryDir>();
    }

    void cleanup() { close(); }

    void anEmptyHistorySaysWhatToDo()
    {
        open();
        EVENTUALLY(model()->isLoaded());
        QSignalSpy plan(m_page.get(), &HistoryPage::planRequested);
        EVENTUALLY(child<QPushButton>("emptyToPlan")->isVisible());
        QVERIFY(!child<QPushButton>("emptyClear")->isVisible());
        QTest::mouseClick(child<QPushButton>("emptyToPlan"), Qt::LeftButton);
        QCOMPARE(plan.count(), 1);
    }

    void filtersNarrowAndChipsTakeThemAway()
    {
        store("alpha", 1, 1, 1);
        store("beta", 2, 1, 1);
        store("gamma", 1, 1, 2);
        open();
        showRows(3);
        // What the menus offer comes a moment later.
        EVENTUALLY(m_page->list()->storage().runs == 3);
        choose("filterLayout", "2×1×1");
        showRows(1);
        QCOMPARE(label(0), QString("beta"));
        QVERIFY(action(HistoryActions::ClearFilters)->isEnabled());
        choose("filterKind", "imported");
        showRows(0);
        EVENTUALLY(child<QPushButton>("emptyClear")->isVisible());
        const auto chips = [this] {
            QList<QPushButton*> shown;
            for (QPushButton* chip : m_page->findChildren<QPushButton*>("filterChip"))
                if (!chip->isHidden())
                    shown << chip;
            return shown;
        };
        QTRY_COMPARE_WITH_TIMEOUT(chips().size(), 2, patience);
        QTest::mouseClick(chips().front(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(chips().size(), 1, patience);
        showRows(1);
        table()->setFocus();
        key(Qt::Key_X);
        showRows(3);
        EVENTUALLY(chips().isEmpty());
    }

    void aSearchWithoutResultIsLeftByKey()
    {
        store("alpha", 1, 1, 1);
        open();
        showRows(1);
        key(Qt::Key_Slash);
        auto* search = child<QLineEdit>("historySearch");
        EVENTUALLY(search->hasFocus());
        QTest::keyClicks(search, "nothing");
        showRows(0);
        EVENTUALLY(child<QPushButton>("emptyClear")->isVisible());
        QTest::keyClick(search, Qt::Key_Escape);
        showRows(1);
        QTest::keyClick(search, Qt::Key_Down);
        EVENTUALLY(table()->hasFocus());
    }

    void columnsChosenAtAnotherTextSizeGrowWithIt()
    {
        store("one", 1, 1, 1);
        open();
        showRows(1);
        table()->horizontalHeader()->resizeSection(HistoryModel::Model, 130);
        const QFont before = QApplication::font();
        close(); // keeps the widths
        QApplication::setFont(applicationFont(2));
        open();
        showRows(1);
        const int twice = table()->horizontalHeader()->sectionSize(HistoryModel::Model);
        QVERIFY(table()->horizontalHeader()->sectionSize(HistoryModel::Label) >= 200);
        close();
        QApplication::setFont(before);
        open();
        showRows(1);
        const int again = table()->horizontalHeader()->sectionSize(HistoryModel::Model);
        QVERIFY2(std::abs(twice - 2 * again) <= 2, qPrintable(QString::number(twice)));
        QVERIFY2(std::abs(again - 130) <= 2, qPrintable(QString::number(again)));
    }

    void everyColumnSorts()
    {
        store("alpha", 1, 1, 1, 2);
        store("beta", 2, 1, 1, 4);
        open();
        showRows(2);
        QHeaderView* header = table()->horizontalHeader();
        for (const int column : {int(HistoryModel::Label), int(HistoryModel::Steps),
                                 int(HistoryModel::LayoutColumn), int(HistoryModel::Size)}) {
            QSignalSpy loaded(model(), &HistoryModel::loaded);
            const QPoint at(header->sectionViewportPosition(column) + 20, header->height() / 2);
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
            EVENTUALLY(loaded.count() > 0);
            QCOMPARE(header->sortIndicatorSection(), column);
        }
        QCOMPARE(label(0), QString("beta")); // the larger one
        QVERIFY(model()->query().descending);
    }

    void starsByClickAndByKeyAndBack()
    {
        store("alpha", 1, 1, 1);
        open();
        showRows(1);
        const QRect cell = table()->visualRect(model()->index(0, HistoryModel::Star));
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, cell.center());
        EVENTUALLY(starred(0));
        EVENTUALLY(action(HistoryActions::Undo)->isEnabled());
        key(Qt::Key_S);
        EVENTUALLY(!starred(0));
        key(Qt::Key_Z, Qt::ControlModifier);
        EVENTUALLY(starred(0));
        key(Qt::Key_Z, Qt::ControlModifier);
        EVENTUALLY(!starred(0));
        key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        EVENTUALLY(starred(0));
        key(Qt::Key_S, Qt::ShiftModifier);
        EVENTUALLY(m_page->list()->filters()->choice().starred);
        showRows(1);
    }

    void tagsLabelAndNoteAreKeptByThemselves()
    {
        const QString id = store("alpha", 1, 1, 1);
        open();
        showRows(1);
        key(Qt::Key_T);
        auto* tag = child<QLineEdit>("tagField");
        EVENTUALLY(tag->hasFocus());
        QTest::keyClicks(tag, "workshop");
        QTest::keyClick(tag, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(tagsOf(0), QStringList{"workshop"}, patience);
        QTest::keyClick(tag, Qt::Key_Escape);
        EVENTUALLY(table()->hasFocus());
        key(Qt::Key_F2);
        auto* name = child<QLineEdit>("runLabel");
        EVENTUALLY(name->hasFocus());
        QTest::keyClicks(name, "renamed");
        QTest::keyClick(name, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(label(0), QString("renamed"), patience);
        key(Qt::Key_N);
        auto* note = child<QPlainTextEdit>("runNote");
        EVENTUALLY(note->hasFocus());
        QTest::keyClicks(note, "less bubble");
        EVENTUALLY(model()->runAt(0)->note == "less bubble");
        // Steps of their own, taken back from the last one on.
        QTest::keyClick(note, Qt::Key_Escape);
        EVENTUALLY(table()->hasFocus());
        key(Qt::Key_Z, Qt::ControlModifier);
        EVENTUALLY(model()->runAt(0)->note.empty());
        EVENTUALLY(note->toPlainText().isEmpty());
        key(Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(label(0), QString("alpha"), patience);
        EVENTUALLY(name->text() == "alpha");
        key(Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(tagsOf(0), QStringList{}, patience);
    }

    void whatIsTypedIsKeptWhenTheWindowGoes()
    {
        store("alpha", 1, 1, 1);
        open();
        showRows(1);
        auto* note = child<QPlainTextEdit>("runNote");
        note->setFocus();
        QTest::keyClicks(note, "typed last");
        close();
        open();
        showRows(1);
        EVENTUALLY(model()->runAt(0)->note == "typed last");
    }

    void tagsOfSeveralRunsAreChangedAtOnce()
    {
        store("alpha", 1, 1, 1);
        store("beta", 1, 1, 2);
        open();
        showRows(2);
        table()->selectAll();
        auto* tag = child<QLineEdit>("tagField");
        tag->setFocus();
        QTest::keyClicks(tag, "both,");
        EVENTUALLY(tagsOf(0) == QStringList{"both"} && tagsOf(1) == QStringList{"both"});
        QVERIFY(!child<QLineEdit>("runLabel")->isEnabled());
        QTest::keyClick(tag, Qt::Key_Backspace);
        EVENTUALLY(tagsOf(0).isEmpty() && tagsOf(1).isEmpty());
    }

    void aWrongTagIsToldAndNothingChanges()
    {
        store("alpha", 1, 1, 1);
        open();
        showRows(1);
        m_page->edits().addTag({QString::fromStdString(model()->runAt(0)->id)}, QString(1000, 'x'));
        EVENTUALLY(m_page->findChild<Banner*>()->isVisible());
        QVERIFY(tagsOf(0).isEmpty());
        QVERIFY(!m_page->edits().stack().canUndo());
    }

    void deletedRunsComeBackByUndo()
    {
        store("alpha", 1, 1, 1);
        store("beta", 1, 1, 2);
        store("gamma", 2, 1, 1);
        open();
        showRows(3);
        table()->selectAll();
        key(Qt::Key_Delete);
        showRows(0);
        EVENTUALLY(told().startsWith("3 runs"));
        QTest::mouseClick(m_page->findChild<Banner*>()->findChild<QPushButton*>(), Qt::LeftButton);
        showRows(3);
        EVENTUALLY(table()->isVisible());
        table()->setFocus();
        table()->selectAll();
        key(Qt::Key_Delete);
        showRows(0);
        EVENTUALLY(child<QPushButton>("emptyToPlan")->hasFocus());
        key(Qt::Key_Z, Qt::ControlModifier); // the table has gone, its keys have not
        showRows(3);
    }

    void deletingForGoodAsksFirst()
    {
        store("alpha", 1, 1, 1);
        open();
        showRows(1);
        key(Qt::Key_Delete);
        showRows(0);
        QTest::mouseClick(child<QPushButton>("showTrash"), Qt::LeftButton);
        showRows(1);
        int asked = 0;
        bool answer = false;
        m_page->setAsk([&](int runs) {
            asked += runs;
            return answer;
        });
        table()->setFocus();
        EVENTUALLY(action(HistoryActions::Purge)->isEnabled());
        key(Qt::Key_Delete, Qt::ShiftModifier);
        QCOMPARE(asked, 1);
        QCOMPARE(model()->rowCount(), 1);
        answer = true;
        key(Qt::Key_Delete, Qt::ShiftModifier);
        showRows(0);
        EVENTUALLY(told().contains("for good"));
        QVERIFY(!m_page->edits().stack().canUndo());
    }

    void aRunThatGoesOnStays()
    {
        tests::StoredRun run(home(), tests::smallPlan(2, 1, 2, 4), 6);
        run.setState(RunState::Running);
        run.writeStep();
        open();
        showRows(1);
        key(Qt::Key_Delete);
        EVENTUALLY(told().contains("annot delete"));
        QCOMPARE(model()->rowCount(), 1);
    }

    void bundlesGoOutAndComeIn()
    {
        const QString id = store("alpha", 1, 1, 2);
        store("beta", 1, 1, 1);
        open();
        showRows(2);
        const QString file = m_home->filePath("handed.triaxis-run");
        QSignalSpy finished(&m_page->jobs(), &HistoryJobs::finished);
        m_page->jobs().exportRun(id, file);
        EVENTUALLY(finished.count() == 1);
        QVERIFY(QFile::exists(file));
        table()->selectAll();
        key(Qt::Key_Delete);
        showRows(0);
        m_page->setAsk([](int) { return true; });
        action(HistoryActions::Trash)->trigger();
        showRows(2);
        EVENTUALLY(action(HistoryActions::EmptyTrash)->isEnabled());
        action(HistoryActions::EmptyTrash)->trigger();
        showRows(0);

        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file)});
        QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_page.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_page.get(), &drop);
        EVENTUALLY(finished.count() == 2);
        QCOMPARE(finished.back().front().toString(), QString("1 run imported"));
        showRows(1);
        QVERIFY(!m_page->list()->isTrash());
        QVERIFY(model()->runAt(0)->kind == RunKind::Imported);
        m_page->importFiles({file});
        EVENTUALLY(finished.count() == 3);
        QVERIFY(finished.back().front().toString().contains("Nothing new"));

        QFile broken(m_home->filePath("broken.triaxis-run"));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("no bundle at all");
        broken.close();
        QSignalSpy failed(&m_page->jobs(), &HistoryJobs::failed);
        m_page->importFiles({broken.fileName()});
        EVENTUALLY(failed.count() == 1);
        QVERIFY(failed.front().back().toString().contains("broken.triaxis-run"));
        QCOMPARE(model()->rowCount(), 1);
    }

    void pruningShowsWhatItWouldFree()
    {
        store("alpha", 1, 1, 2, 6);
        open();
        showRows(1);
        PruneDialog dialog(*m_service);
        QSignalSpy planned(&dialog, &PruneDialog::planned);
        EVENTUALLY(planned.count() > 0);
        auto* prune = dialog.findChild<QPushButton*>("pruneNow");
        QVERIFY(!prune->isEnabled());
        QVERIFY(dialog.findChild<QLabel*>("pruneReasons")->text().contains("newest"));
        dialog.findChild<QSpinBox*>("pruneKeep")->setValue(0);
        EVENTUALLY(prune->isEnabled());
        QCOMPARE(dialog.runs().size(), 1);
        QCOMPARE(dialog.findChild<QTableWidget*>("pruneTable")->rowCount(), 1);
        QSignalSpy finished(&m_page->jobs(), &HistoryJobs::finished);
        m_page->jobs().prune(dialog.runs());
        EVENTUALLY(finished.count() == 1);
        EVENTUALLY(model()->runAt(0)->prunableBytes == 0);
        m_page->jobs().rebuild();
        EVENTUALLY(finished.count() == 2);
        showRows(1);
    }

    void theWindowComesBackAsItWas()
    {
        store("alpha", 1, 1, 1);
        RunPlan plan = tests::smallPlan(2, 1, 1, 4);
        plan.label = "beta";
        tests::storeFinishedRun(home(), plan, 5);
        open();
        showRows(2);
        EVENTUALLY(m_page->list()->storage().runs == 2);
        choose("filterLayout", "2×1×1");
        showRows(1);
        key(Qt::Key_I);
        QVERIFY(!m_page->list()->areDetailsShown());
        table()->setColumnWidth(HistoryModel::Model, 133);
        table()->setColumnHidden(HistoryModel::Bubble, true);
        QHeaderView* header = table()->horizontalHeader();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          QPoint(header->sectionViewportPosition(HistoryModel::Steps) + 20, 10));
        close();
        open();
        showRows(1);
        QCOMPARE(label(0), QString("beta"));
        QVERIFY(!m_page->list()->areDetailsShown());
        QCOMPARE(table()->columnWidth(HistoryModel::Model), 133);
        QVERIFY(table()->isColumnHidden(HistoryModel::Bubble));
        QCOMPARE(table()->horizontalHeader()->sortIndicatorSection(), int(HistoryModel::Steps));
    }

    void theTrashGivesRunsBack()
    {
        store("alpha", 1, 1, 1);
        store("beta", 1, 1, 2);
        store("gamma", 2, 1, 1);
        open();
        showRows(3);
        const QString gone = label(0);
        table()->selectRow(0);
        EVENTUALLY(action(HistoryActions::Delete)->isEnabled());
        key(Qt::Key_Delete);
        showRows(2);
        key(Qt::Key_D);
        EVENTUALLY(m_page->list()->isTrash());
        showRows(1);
        QCOMPARE(label(0), gone);
        QVERIFY(!table()->isColumnHidden(HistoryModel::Deleted));
        QVERIFY(!action(HistoryActions::Star)->isEnabled());
        EVENTUALLY(action(HistoryActions::Restore)->isEnabled());
        QVERIFY(child<QPushButton>("restoreRuns")->isVisible());
        key(Qt::Key_R);
        showRows(0);
        QTest::mouseClick(child<QPushButton>("allRuns"), Qt::LeftButton);
        showRows(3);
        QVERIFY(table()->isColumnHidden(HistoryModel::Deleted));
    }

    void actionsWaitWhileThePageIsHidden()
    {
        store("alpha", 1, 1, 1);
        open();
        showRows(1);
        EVENTUALLY(action(HistoryActions::Delete)->isEnabled());
        m_page->hide();
        QVERIFY(!action(HistoryActions::Delete)->isEnabled());
        QVERIFY(!action(HistoryActions::Undo)->isEnabled());
        QVERIFY(action(HistoryActions::Import)->isEnabled());
        QSignalSpy wanted(m_page.get(), &HistoryPage::pageRequested);
        action(HistoryActions::Search)->trigger();
        QCOMPARE(wanted.count(), 1);
    }
};

QTEST_MAIN(HistoryPageTest)
#include "history_page_test.moc"
