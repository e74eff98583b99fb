#pragma once

#include "ui/panels/run_panel.h"

namespace triaxis::ui
{

class LossChart;

/// The loss over the steps of the whole run.
class LossPanel : public RunPanel
{
    Q_OBJECT
public:
    explicit LossPanel(QWidget* parent = nullptr);

    void setRun(const RunData* run) override;
    LossChart* chart() const { return m_chart; }

protected:
    void refresh() override;

private:
    LossChart* m_chart;
    std::size_t m_taken = 0; ///< steps that the chart has
};

} // namespace triaxis::ui
