#pragma once

#include "engine/timeline/communication_matrix.h"
#include "ui/base/words.h"
#include "ui/panels/run_panel.h"

#include <memory>

class QComboBox;

namespace triaxis::ui
{

class TrafficGrid;

/// Who sends what to whom in a step of the shown range.
class CommunicationPanel : public RunPanel
{
    Q_OBJECT
public:
    explicit CommunicationPanel(QWidget* parent = nullptr);
    ~CommunicationPanel() override;

    QString tabText() const override { return Words::tr("Traffic"); }
    void setRun(const RunData* run) override;
    TrafficGrid* grid() const { return m_grid; }

protected:
    void refresh() override;

private:
    void tell();
    std::vector<TrafficLink> links(const std::vector<StepTraffic>& steps);

    QComboBox* m_axis;
    QComboBox* m_measure;
    QComboBox* m_fold;
    QLabel* m_empty;
    TrafficGrid* m_grid;
    QLabel* m_reading;
    std::unique_ptr<Program> m_program; ///< of the run; null until it is needed
    bool m_noProgram = false;
};

} // namespace triaxis::ui
