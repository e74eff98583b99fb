#pragma once

#include "engine/record/records.h"
#include "ui/widgets/panel.h"

#include <deque>
#include <vector>

class QCheckBox;
class QComboBox;
class QPlainTextEdit;

namespace triaxis::ui
{

/// Log lines of all ranks, the newest at the foot; of one rank, or problems only, where asked for. Problems are counted by
/// rank, also those of lines that have been forgotten.
class LogPanel : public Panel
{
    Q_OBJECT
public:
    struct Line
    {
        double time = 0;          ///< seconds since the run began; < 0: none
        int rank = -1;            ///< −1: the launcher
        LogLevel level{};         ///< information unless said otherwise
        QString text;
    };
    explicit LogPanel(QWidget* parent = nullptr);

    void begin(int ranks);
    void append(const std::vector<Line>& lines);
    QString plainText() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Problems
    {
        int errors = 0;
        int warnings = 0;
    };
    static QString problemsText(const Problems& problems);
    Problems* problemsOf(const Line& line);
    void count(const Line& line);
    void nameProblems();
    bool isShown(const Line& line) const;
    void write(const Line& line);
    void rewrite();

    QComboBox* m_rank;
    QCheckBox* m_problemsOnly;
    QPlainTextEdit* m_text;
    std::deque<Line> m_lines;
    std::vector<Problems> m_problems;
    Problems m_allProblems;
};

} // namespace triaxis::ui
