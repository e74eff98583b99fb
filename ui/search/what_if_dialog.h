#pragma once

#include "engine/plan/drawn_prediction.h"
#include "ui/plan/plan_document.h"

#include <QDialog>

#include <filesystem>
#include <functional>
#include <vector>

class QGridLayout;
class QLabel;
class QSlider;

namespace triaxis::ui
{

class FigureStrip;
class PlanPredictor;

/// Sliders for links, compute and size: what the step would be if they were different, at once. The
/// plan itself stays as it is.
class WhatIfDialog : public QDialog
{
    Q_OBJECT
public:
    WhatIfDialog(const DrawnPlan& plan, const std::filesystem::path& home,
                 QWidget* parent = nullptr);
    ~WhatIfDialog() override;

    void reset();
    /// The plan as the sliders have it.
    const DrawnPlan& trial() const { return m_document.drawn(); }

private:
    struct Knob
    {
        QSlider* slider = nullptr;
        QLabel* value = nullptr;
        std::function<QString(const DrawnPlan&)> figure; ///< what it multiplies, in a plan
    };
    using Figure = std::function<QString(const DrawnPlan&)>;
    void addKnobs(QGridLayout* grid);
    void addKnob(QGridLayout* grid, const QString& object, const QString& name,
                 const QString& hint, Figure figure);
    void showValues();
    double factor(std::size_t knob) const;
    void turn();
    void showFigures();

    DrawnPlan m_plan;
    PlanDocument m_document;
    PlanPredictor* m_predictor;
    std::shared_ptr<const DrawnPrediction> m_base; ///< with all sliders in the middle
    FigureStrip* m_figures;
    std::vector<Knob> m_knobs;
};

/// The plan with every figure of a kind multiplied: bandwidth and latency between nodes and inside
/// them, the device's compute and memory rates, the number of replicas (and the batch with it).
struct WhatIfFactors
{
    double betweenBandwidth = 1;
    double insideBandwidth = 1;
    double latency = 1;
    double compute = 1;
    double memoryRate = 1;
    double replicas = 1;
};
DrawnPlan withFactors(DrawnPlan plan, const WhatIfFactors& factors);

} // namespace triaxis::ui
