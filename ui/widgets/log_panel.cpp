#include "ui/widgets/log_panel.h"

#include "engine/record/records.h"
#include "ui/base/text.h"
#include "ui/theme/theme.h"
#include "ui/base/words.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTextCharFormat>
#include <QTextOption>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

constexpr std::size_t mostLines = 5000;

QString timeText(double seconds)
{
    if (seconds < 0)
        return QStringLiteral("         ");
    const auto whole = qint64(seconds);
    return QStringLiteral("%1:%2.%3")
        .arg(whole / 60, 3)
        .arg(whole % 60, 2, 10, QLatin1Char('0'))
        .arg(int((seconds - double(whole)) * 100), 2, 10, QLatin1Char('0'));
}

QString format(const LogPanel::Line& line)
{
    const QString who = line.rank < 0 ? Words::tr("launcher")
                                      : Words::tr("rank %1").arg(line.rank);
    return timeText(line.time) + QStringLiteral("  ") + who.leftJustified(std::max<qsizetype>(9, Words::tr("launcher").size() + 1)) + line.text;
}

} // namespace

LogPanel::LogPanel(QWidget* parent)
    : Panel(tr("Log"), parent), m_rank(new QComboBox),
      m_problemsOnly(new QCheckBox(tr("problems only"))), m_text(new QPlainTextEdit)
{
    m_rank->setProperty("flat", true);
    m_rank->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_rank->setObjectName(QStringLiteral("logRank"));
    m_rank->setAccessibleName(tr("Ranks shown in the log"));
    m_problemsOnly->setObjectName(QStringLiteral("logProblemsOnly"));
    m_text->setProperty("look", "log");
    m_text->setObjectName(QStringLiteral("logText"));
    m_text->setAccessibleName(tr("Log"));
    m_text->setReadOnly(true);
    m_text->setUndoRedoEnabled(false);
    m_text->setMaximumBlockCount(int(mostLines));
    m_text->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_text->document()->setDocumentMargin(0);
    m_text->viewport()->setAutoFillBackground(false);
    m_text->setMinimumHeight(40);
    addHeaderWidget(m_rank);
    addHeaderWidget(m_problemsOnly);
    setContent(m_text);
    begin(0);
    connect(m_rank, &QComboBox::currentIndexChanged, this, &LogPanel::rewrite);
    connect(m_problemsOnly, &QCheckBox::toggled, this, &LogPanel::rewrite);
}

void LogPanel::begin(int ranks)
{
    m_lines.clear();
    m_text->clear();
    const QSignalBlocker quiet(m_rank);
    m_rank->clear();
    m_rank->addItem(tr("all ranks"), -2);
    m_rank->addItem(tr("launcher"), -1);
    for (int rank = 0; rank < ranks; ++rank)
        m_rank->addItem(tr("rank %1").arg(rank), rank);
    m_problems.assign(std::size_t(std::max(0, ranks)) + 1, {});
    m_allProblems = {};
    nameProblems();
}

/// The launcher first, then the ranks, as in the box.
LogPanel::Problems* LogPanel::problemsOf(const Line& line)
{
    const auto at = std::size_t(line.rank + 1);
    return line.rank >= -1 && at < m_problems.size() ? &m_problems[at] : nullptr;
}

void LogPanel::count(const Line& line)
{
    if (line.level == LogLevel::Info)
        return;
    for (Problems* problems : {problemsOf(line), &m_allProblems})
        if (problems)
            ++(line.level == LogLevel::Error ? problems->errors : problems->warnings);
}

QString LogPanel::problemsText(const Problems& problems)
{
    QStringList parts;
    if (problems.errors > 0)
        parts << counted(problems.errors, QStringLiteral("error"));
    if (problems.warnings > 0)
        parts << counted(problems.warnings, QStringLiteral("warning"));
    return parts.isEmpty() ? QString() : QStringLiteral(" · ") + parts.join(QStringLiteral(", "));
}

void LogPanel::nameProblems()
{
    if (m_rank->count() == 0)
        return;
    m_rank->setItemText(0, tr("all ranks") + problemsText(m_allProblems));
    for (std::size_t i = 0; i < m_problems.size() && int(i) + 1 < m_rank->count(); ++i) {
        const QString name = i == 0 ? tr("launcher")
                                    : tr("rank %1").arg(i - 1);
        m_rank->setItemText(int(i) + 1, name + problemsText(m_problems[i]));
    }
    const int all = m_allProblems.errors + m_allProblems.warnings;
    m_problemsOnly->setText(all > 0 ? tr("problems only (%1)").arg(all)
                                    : tr("problems only"));
}

bool LogPanel::isShown(const Line& line) const
{
    const int wanted = m_rank->currentData().toInt();
    if (wanted != -2 && line.rank != wanted)
        return false;
    return !m_problemsOnly->isChecked() || line.level != LogLevel::Info;
}

void LogPanel::append(const std::vector<Line>& lines)
{
    QScrollBar* bar = m_text->verticalScrollBar();
    const bool atFoot = bar->value() >= bar->maximum() - 2;
    const int before = m_allProblems.errors + m_allProblems.warnings;
    for (const Line& line : lines) {
        count(line);
        m_lines.push_back(line);
        if (m_lines.size() > mostLines)
            m_lines.pop_front();
        if (isShown(line))
            write(line);
    }
    if (before != m_allProblems.errors + m_allProblems.warnings)
        nameProblems();
    if (atFoot)
        bar->setValue(bar->maximum());
}

void LogPanel::write(const Line& line)
{
    const Theme& theme = themeOf(palette());
    QTextCharFormat ink;
    switch (line.level) {
    case LogLevel::Info:
        ink.setForeground(theme.muted);
        break;
    case LogLevel::Warning:
        ink.setForeground(theme.warning);
        break;
    case LogLevel::Error:
        ink.setForeground(theme.danger);
        break;
    }
    QTextCursor cursor(m_text->document());
    cursor.movePosition(QTextCursor::End);
    if (!m_text->document()->isEmpty())
        cursor.insertBlock();
    cursor.insertText(format(line), ink);
}

void LogPanel::rewrite()
{
    m_text->clear();
    for (const Line& line : m_lines) {
        if (isShown(line))
            write(line);
    }
    m_text->verticalScrollBar()->setValue(m_text->verticalScrollBar()->maximum());
}

QString LogPanel::plainText() const
{
    return m_text->toPlainText();
}

void LogPanel::changeEvent(QEvent* event)
{
    Panel::changeEvent(event);
    // The font is the style sheet's.
    if (event->type() == QEvent::PaletteChange)
        rewrite();
}

} // namespace triaxis::ui
