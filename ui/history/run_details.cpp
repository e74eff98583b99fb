#include "ui/history/run_details.h"

#include "engine/core/units.h"
#include "engine/record/run_notes.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/history/history_text.h"
#include "ui/history/tag_editor.h"
#include "ui/theme/fonts.h"
#include "ui/theme/text_size.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/scrolling.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace triaxis::ui
{
namespace
{

constexpr int saveMilliseconds = 800;

QLabel* heading(const QString& text, QWidget* buddy)
{
    auto* label = new QLabel(text);
    label->setProperty("role", "small");
    label->setBuddy(buddy);
    return label;
}

/// What is on its way counts until it has arrived: an answer of before may come in between.
QString storedOr(std::optional<QString>& sent, const QString& stored)
{
    if (sent == stored)
        sent.reset();
    return sent.value_or(stored);
}

QWidget* column(const QList<QWidget*>& widgets, int stretched)
{
    auto* box = new QWidget;
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    for (int i = 0; i < widgets.size(); ++i)
        layout->addWidget(widgets[i], i == stretched ? 1 : 0);
    return box;
}

} // namespace

RunDetails::RunDetails(QWidget* parent)
    : QWidget(parent), m_title(new ElidedLabel), m_star(new QToolButton),
      m_labelField(new QLineEdit), m_tags(new TagEditor), m_noteField(new QPlainTextEdit)
{
    setObjectName(QStringLiteral("runDetails"));
    setAccessibleName(tr("Details of the selected runs"));
    m_title->setProperty("role", "title");
    m_title->setObjectName(QStringLiteral("detailsTitle"));
    m_star->setObjectName(QStringLiteral("detailsStar"));
    m_star->setText(QStringLiteral("★"));
    m_star->setCheckable(true);
    auto* head = new QHBoxLayout;
    head->setSpacing(6);
    head->addWidget(m_star);
    head->addWidget(m_title, 1);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(18);
    columns->addWidget(buildNames(), 3);
    columns->addWidget(buildNote(), 4);
    columns->addWidget(buildFacts(), 4);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(head);
    layout->addLayout(columns, 1);
    m_save.setSingleShot(true);
    m_save.setInterval(saveMilliseconds);
    connect(&m_save, &QTimer::timeout, this, &RunDetails::flush);
    connect(m_labelField, &QLineEdit::textEdited, &m_save, qOverload<>(&QTimer::start));
    connect(m_labelField, &QLineEdit::editingFinished, this, &RunDetails::flush);
    connect(m_noteField, &QPlainTextEdit::textChanged, &m_save, qOverload<>(&QTimer::start));
    connect(m_tags, &TagEditor::added, this,
            [this](const QString& tag) { emit tagAdded(ids(), tag); });
    connect(m_tags, &TagEditor::removed, this,
            [this](const QString& tag) { emit tagRemoved(ids(), tag); });
    connect(m_star, &QToolButton::clicked, this,
            [this](bool starred) { emit starEdited(ids(), starred); });
    setRuns({});
}

QWidget* RunDetails::buildNames()
{
    m_labelField->setObjectName(QStringLiteral("runLabel"));
    m_labelField->setAccessibleName(tr("Label"));
    m_labelField->setMaxLength(int(longestLabel) / 4); // characters of up to four bytes
    m_labelField->installEventFilter(this);
    m_tags->setObjectName(QStringLiteral("runTags"));
    m_tags->setAccessibleName(tr("Tags"));
    QScrollArea* tags = scrolling(m_tags);
    tags->setFocusPolicy(Qt::NoFocus);
    return column(
        {heading(tr("Label"), m_labelField), m_labelField, heading(tr("Tags"), m_tags), tags}, 3);
}

QWidget* RunDetails::buildNote()
{
    m_noteField->setObjectName(QStringLiteral("runNote"));
    m_noteField->setAccessibleName(tr("Note"));
    m_noteField->setPlaceholderText(tr("What this run was for, what it showed"));
    m_noteField->setTabChangesFocus(true);
    m_noteField->setProperty("look", "field");
    m_noteField->installEventFilter(this);
    followTextSize(m_noteField, [this] { m_noteField->setMinimumHeight(scaled(60)); });
    return column({heading(tr("Note"), m_noteField), m_noteField}, 1);
}

QWidget* RunDetails::buildFacts()
{
    auto* box = new QWidget;
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    for (int i = 0; i < int(std::size(m_facts)); ++i) {
        m_factNames[i] = new QLabel;
        m_factNames[i]->setProperty("role", "small");
        m_facts[i] = new ElidedLabel;
        m_facts[i]->setTextInteractionFlags(Qt::TextSelectableByMouse);
        grid->addWidget(m_factNames[i], i, 0);
        grid->addWidget(m_facts[i], i, 1);
    }
    grid->setRowStretch(int(std::size(m_facts)), 1);
    return box;
}

QStringList RunDetails::ids() const
{
    QStringList all;
    for (const RunSummary& run : m_runs)
        all << toQString(run.id);
    return all;
}

void RunDetails::setRuns(const std::vector<RunSummary>& runs)
{
    const QString id = runs.size() == 1 ? toQString(runs.front().id) : QString();
    if (id != m_shown)
        flush();
    m_runs = runs;
    const bool deleted = !runs.empty() && !runs.front().deletedUtc.empty();
    if (runs.size() == 1)
        showOne(runs.front());
    else
        showSeveral();
    m_labelField->setEnabled(runs.size() == 1 && !deleted);
    m_noteField->setEnabled(runs.size() == 1 && !deleted);
    m_tags->setReadOnly(runs.empty() || deleted);
    m_star->setEnabled(!runs.empty() && !deleted);
    if (deleted)
        m_title->setText(
            tr("%1 – in the trash: restore it to change what is noted").arg(m_title->text()));
    showTags();
    refreshStar();
    showFacts();
}

void RunDetails::showOne(const RunSummary& run)
{
    const QString id = toQString(run.id);
    const bool another = id != m_shown;
    if (another)
        forgetSent();
    const QString label = storedOr(m_sentLabel, toQString(run.label));
    const QString note = storedOr(m_sentNote, toQString(run.note));
    m_shown = id;
    m_title->setText(nameOf(run));
    m_labelField->setPlaceholderText(id);
    // What is being typed wins over what another program has written meanwhile.
    if (another || m_labelField->text() == m_label) {
        if (m_labelField->text() != label) {
            m_labelField->setText(label);
            m_labelField->setCursorPosition(0); // a long one shows its begin
        }
    }
    if (another || m_noteField->toPlainText() == m_note) {
        if (m_noteField->toPlainText() != note) {
            const QSignalBlocker quiet(m_noteField);
            m_noteField->setPlainText(note);
        }
    }
    m_label = label;
    m_note = note;
}

void RunDetails::showSeveral()
{
    m_shown.clear();
    m_label.clear();
    m_note.clear();
    const QSignalBlocker quiet(m_noteField);
    m_labelField->clear();
    m_noteField->clear();
    m_labelField->setPlaceholderText(m_runs.empty() ? QString() : tr("Select one run to label it"));
    m_title->setText(m_runs.empty() ? tr("No run is selected")
                                    : tr("%1 selected").arg(runsText(std::int64_t(m_runs.size()))));
}

void RunDetails::showTags()
{
    std::map<std::string, std::size_t> counts;
    for (const RunSummary& run : m_runs)
        for (const std::string& tag : run.tags)
            ++counts[tag];
    QStringList all, partly;
    for (const auto& [tag, count] : counts)
        (count == m_runs.size() ? all : partly) << toQString(tag);
    m_tags->setTags(all, partly);
}

void RunDetails::refreshStar()
{
    const bool starred =
        !m_runs.empty() && std::all_of(m_runs.begin(), m_runs.end(),
                                       [](const RunSummary& run) { return run.starred; });
    m_star->setChecked(starred);
    const QString hint = starred ? tr("Take the star away (S)") : tr("Give a star (S)");
    m_star->setToolTip(hint);
    m_star->setAccessibleName(hint);
}

void RunDetails::showFacts()
{
    std::vector<std::pair<QString, QString>> facts;
    std::int64_t bytes = 0, prunable = 0;
    for (const RunSummary& run : m_runs) {
        bytes += run.bytes;
        prunable += run.prunableBytes;
    }
    if (m_runs.size() == 1) {
        const RunSummary& run = m_runs.front();
        facts.emplace_back(tr("Run"), toQString(run.id));
        facts.emplace_back(tr("Kind"), kindHint(run.kind));
        const QString ended = run.endedUtc.empty() ? QString() : momentText(run.endedUtc);
        facts.emplace_back(tr("Time"), ended.isEmpty()
                                           ? momentText(run.startedUtc)
                                           : tr("%1 to %2").arg(momentText(run.startedUtc), ended));
        if (!run.reason.empty())
            facts.emplace_back(tr("Reason"), spoken(run.reason));
    }
    if (!m_runs.empty())
        facts.emplace_back(tr("On disk"), prunable > 0
                                              ? tr("%1, of which %2 are spans that can be dropped")
                                                    .arg(spoken(units::bytes(bytes)),
                                                         spoken(units::bytes(prunable)))
                                              : spoken(units::bytes(bytes)));
    for (std::size_t i = 0; i < std::size(m_facts); ++i) {
        const bool shown = i < facts.size();
        m_factNames[i]->setVisible(shown);
        m_facts[i]->setVisible(shown);
        m_factNames[i]->setText(shown ? facts[i].first : QString());
        m_facts[i]->setText(shown ? facts[i].second : QString());
    }
}

void RunDetails::setKnownTags(const QStringList& tags)
{
    m_tags->setKnown(tags);
}

void RunDetails::flush()
{
    m_save.stop();
    if (m_shown.isEmpty())
        return;
    const QString id = m_shown;
    const QString label = m_labelField->text().trimmed();
    const QString note = m_noteField->toPlainText();
    if (label != m_label) {
        m_label = label;
        m_sentLabel = label;
        emit labelEdited(id, label);
    }
    if (note != m_note) {
        m_note = note;
        m_sentNote = note;
        emit noteEdited(id, note);
    }
}

void RunDetails::forgetSent()
{
    m_sentLabel.reset();
    m_sentNote.reset();
}

void RunDetails::focusLabel()
{
    m_labelField->setFocus(Qt::ShortcutFocusReason);
    m_labelField->selectAll();
}

void RunDetails::focusTags()
{
    m_tags->focusField();
}

void RunDetails::focusNote()
{
    m_noteField->setFocus(Qt::ShortcutFocusReason);
}

bool RunDetails::eventFilter(QObject* object, QEvent* event)
{
    if (event->type() == QEvent::FocusOut && object == m_noteField)
        flush();
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(object, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const bool done = object == m_labelField && (key == Qt::Key_Return || key == Qt::Key_Enter);
    if (key == Qt::Key_Escape || done) {
        flush();
        emit leaveRequested();
        return true;
    }
    return QWidget::eventFilter(object, event);
}

void RunDetails::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) {
        flush();
        emit leaveRequested();
        return;
    }
    QWidget::keyPressEvent(event);
}

void RunDetails::hideEvent(QHideEvent* event)
{
    flush();
    QWidget::hideEvent(event);
}

} // namespace triaxis::ui
