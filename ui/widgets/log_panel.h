#pragma once

#include "ui/widgets/panel.h"

#include <cstdint>
#include <deque>
#include <vector>

class QCheckBox;
class QComboBox;
class QPlainTextEdit;

namespace triaxis
{
enum class LogLevel : std::uint8_t;
}

namespace triaxis::ui
{

/// Log lines of all ranks, the newest at the foot; of one rank, or errors only, where asked for.
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
    bool isShown(const Line& line) const;
    void write(const Line& line);
    void rewrite();

    QComboBox* m_rank;
    QCheckBox* m_problemsOnly;
    QPlainTextEdit* m_text;
    std::deque<Line> m_lines;
};

} // namespace triaxis::ui
