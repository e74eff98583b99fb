#include "ui/history/prune_dialog.h"

#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/history/history_text.h"
#include "ui/models/history_service.h"
#include "ui/theme/fonts.h"
#include "ui/widgets/dialog_size.h"
#include "ui/widgets/panel.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

constexpr int mostRows = 500;
constexpr double secondsOfDay = 86400;
constexpr std::int64_t mebibyte = 1 << 20;

QSpinBox* spin(const char* name, int value, int most, const QString& suffix)
{
    auto* box = new QSpinBox;
    box->setObjectName(QLatin1String(name));
    box->setRange(0, most);
    box->setValue(value);
    box->setSuffix(suffix);
    return box;
}

} // namespace

PruneDialog::PruneDialog(HistoryService& service, QWidget* parent)
    : QDialog(parent), m_service(service), m_keep(spin("pruneKeep", 10, 1000000, {})),
      m_days(spin("pruneDays", 0, 36500, tr(" days"))),
      m_larger(spin("pruneLarger", 0, 1 << 20, tr(" MiB"))),
      m_starred(new QCheckBox(tr("Also runs with a star"))), m_table(new QTableWidget(0, 4)),
      m_summary(new QLabel), m_reasons(new QLabel), m_prune(new QPushButton)
{
    setObjectName(QStringLiteral("pruneDialog"));
    setWindowTitle(tr("Free room"));
    auto* about =
        new QLabel(tr("Spans of timelines take most of the room. Pruning drops those of old "
                      "runs, all but one step of each; steps, losses, memory, log and "
                      "notes stay. It cannot be undone."));
    about->setWordWrap(true);
    about->setProperty("role", "muted");
    auto* form = new QGridLayout;
    form->setHorizontalSpacing(12);
    form->setVerticalSpacing(8);
    form->setColumnStretch(4, 1);
    const auto add = [form](int row, int column, const QString& text, QSpinBox* box) {
        auto* label = new QLabel(text);
        label->setBuddy(box);
        box->setAccessibleName(text);
        box->setMinimumWidth(scaled(96));
        form->addWidget(label, row, column);
        form->addWidget(box, row, column + 1);
    };
    add(0, 0, tr("Keep the newest"), m_keep);
    add(0, 2, tr("Only older than"), m_days);
    add(1, 0, tr("Only where it frees more than"), m_larger);
    m_starred->setObjectName(QStringLiteral("pruneStarred"));
    form->addWidget(m_starred, 1, 2, 1, 2);
    m_table->setObjectName(QStringLiteral("pruneTable"));
    m_table->setAccessibleName(tr("Runs that would be pruned"));
    m_table->setHorizontalHeaderLabels({tr("Run"), tr("Started"), tr("Size"), tr("Would free")});
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_table->verticalHeader()->hide();
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setFocusPolicy(Qt::TabFocus);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    auto* panel = new Panel({});
    panel->body()->setContentsMargins(6, 0, 6, 6);
    panel->setContent(m_table);
    m_summary->setObjectName(QStringLiteral("pruneSummary"));
    m_summary->setProperty("role", "title");
    m_summary->setWordWrap(true);
    m_reasons->setObjectName(QStringLiteral("pruneReasons"));
    m_reasons->setProperty("role", "muted");
    m_reasons->setWordWrap(true);
    m_prune->setObjectName(QStringLiteral("pruneNow"));
    m_prune->setProperty("look", "danger");
    m_prune->setAutoDefault(false);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    buttons->addButton(m_prune, QDialogButtonBox::AcceptRole);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(18, 16, 18, 14);
    layout->setSpacing(12);
    layout->addWidget(about);
    layout->addLayout(form);
    layout->addWidget(panel, 1);
    layout->addWidget(m_summary);
    layout->addWidget(m_reasons);
    layout->addWidget(buttons);
    for (QSpinBox* box : {m_keep, m_days, m_larger})
        connect(box, &QSpinBox::valueChanged, this, &PruneDialog::ask);
    connect(m_starred, &QCheckBox::toggled, this, &PruneDialog::ask);
    resizeWithinScreen(*this, {640, 520});
    m_prune->setText(tr("Prune"));
    m_prune->setEnabled(false);
    ask();
}

PruneRules PruneDialog::rules() const
{
    PruneRules rules;
    rules.keepNewest = m_keep->value();
    rules.olderThanSeconds = m_days->value() * secondsOfDay;
    rules.largerThanBytes = m_larger->value() * mebibyte;
    rules.alsoStarred = m_starred->isChecked();
    return rules;
}

void PruneDialog::ask()
{
    const int request = ++m_request;
    m_service.ask(this, [this, request, rules = rules()](History& history) -> Background::Delivery {
        return [this, request, plan = history.prunePlan(rules)] {
            if (request == m_request)
                show(plan);
        };
    });
}

void PruneDialog::show(const PrunePlan& plan)
{
    m_runs.clear();
    for (const RunSummary& run : plan.runs)
        m_runs << toQString(run.id);
    const int rows = std::min(int(plan.runs.size()), mostRows);
    m_table->setRowCount(rows);
    for (int row = 0; row < rows; ++row) {
        const RunSummary& run = plan.runs[std::size_t(row)];
        const QString texts[] = {nameOf(run), momentText(run.startedUtc),
                                 spoken(units::bytes(run.bytes)),
                                 spoken(units::bytes(run.prunableBytes))};
        for (int column = 0; column < 4; ++column) {
            auto* item = new QTableWidgetItem(texts[column]);
            if (column >= 2)
                item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            m_table->setItem(row, column, item);
        }
    }
    const QString freed = spoken(units::bytes(plan.freedBytes));
    const QString all = spoken(units::bytes(plan.bytesBefore));
    m_summary->setText(plan.runs.empty()
                           ? tr("Nothing to prune")
                           : tr("%1 would free %2 of %3")
                                 .arg(runsText(std::int64_t(plan.runs.size())), freed, all));
    m_reasons->setText(whyNothing(plan.left));
    m_reasons->setVisible(plan.left.all() > 0);
    m_prune->setEnabled(!plan.runs.empty());
    m_prune->setText(plan.runs.empty() ? tr("Prune") : tr("Free %1").arg(freed));
    emit planned();
}

QString PruneDialog::whyNothing(const PruneLeft& left) const
{
    QStringList parts;
    const auto add = [&](int count, const QString& why) {
        if (count > 0)
            parts << QStringLiteral("%1 %2").arg(wholeNumber(count), why);
    };
    add(left.newest, tr("are among the newest"));
    add(left.going, tr("are not over"));
    add(left.starred, tr("have a star"));
    add(left.young, tr("are not old enough"));
    add(left.slight,
        m_larger->value() > 0 ? tr("would free too little") : tr("have no spans to drop"));
    return tr("Left whole: %1.").arg(parts.join(QStringLiteral(", ")));
}

} // namespace triaxis::ui
