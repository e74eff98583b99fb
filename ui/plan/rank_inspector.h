#pragma once

#include "engine/plan/drawn_prediction.h"
#include "ui/plan/plan_document.h"

#include <QWidget>

#include <optional>

class QGridLayout;
class QLabel;

namespace triaxis::ui
{

class MemoryBar;

/// What one rank is and holds: coordinates, share of the model, memory, and the ranks of its three
/// groups.
class RankInspector : public QWidget
{
    Q_OBJECT
public:
    explicit RankInspector(QWidget* parent = nullptr);

    /// No coordinates: a hint what to do.
    /// `prediction` null: not known (yet).
    void inspect(const PlanDocument& document, const DrawnPrediction* prediction,
                 const std::optional<Coordinates>& at);
    QString title() const { return m_title; }

private:
    QLabel* addRow(const QString& name);
    void describeShare(const PlanDocument& document, const Coordinates& at);
    void describePriced(const PlanDocument& document, const Coordinates& at);
    void describeGroups(const DrawnPlan& plan, Rank rank);
    void describeTraffic(const DrawnPrediction* prediction, int stage);
    void describeMemory(const PlanDocument& document, const DrawnPrediction* prediction,
                        const Coordinates& at);

    QString m_title;
    QLabel* m_hint;
    QWidget* m_details;
    QGridLayout* m_rows;
    QLabel* m_coordinates;
    QLabel* m_holds;
    QLabel* m_place;
    QLabel* m_heads;
    QLabel* m_vocabulary;
    QLabel* m_parameters;
    QLabel* m_tensorGroup;
    QLabel* m_pipelineGroup;
    QLabel* m_dataGroup;
    QLabel* m_traffic;
    QLabel* m_memoryText;
    MemoryBar* m_memory;
};

} // namespace triaxis::ui
