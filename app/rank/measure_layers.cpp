#include "app/rank/measurement.h"
#include "engine/cost/reference_layers.h"
#include "engine/train/chunk.h"
#include "engine/train/initial_weights.h"
#include "engine/train/optimizer.h"

namespace triaxis::rank
{
namespace
{

constexpr std::size_t leastSteps = 6;
constexpr double secondsOfPoint = 0.02;

/// The layers as a rank trains them: one microbatch and the optimizer.
class Trainer
{
public:
    Trainer(Measurement& measurement, const ReferenceLayers& layers)
        : m_plan(planOf(layers)), m_shape{1, layers.time},
          m_tensor(measurement.world(), nullptr), m_compute{measurement.device(),
                                                            measurement.stream(), m_tensor},
          m_store(m_compute, m_plan.model, {contentOf(layers)}, 0, 1),
          m_layers(train::bindChunk(m_plan.model, contentOf(layers), m_store, 1)),
          m_count(std::int64_t(layers.time) * layers.width), m_input(m_compute.activations(m_count))
    {
        train::randomWeights(m_compute, m_store, 1);
        m_compute.device.copy(m_compute.stream, m_input.floats(), m_store.values(), m_count);
        for (float* moments : {m_store.firstMoments(), m_store.secondMoments()})
            m_compute.device.fill(m_compute.stream, moments, 0.0F, m_store.count());
    }

    std::int64_t parameters() const { return m_store.count(); }

    void pass()
    {
        kernels::Buffer input = m_compute.activations(m_count);
        m_compute.device.copy(m_compute.stream, input.floats(), m_input.floats(), m_count);
        train::ChunkSaved saved;
        double lossSum = 0;
        kernels::Buffer output =
            train::chunkForward(m_compute, m_layers, m_shape, std::move(input), saved, &lossSum);
        train::chunkBackward(m_compute, m_layers, m_shape, std::move(output), 1.0F, saved,
                             train::WeightGradients::Now);
    }
    void update()
    {
        m_store.beginStep();
        const float factor = 1e-3F;
        train::optimizerStep(m_compute, m_store, m_plan.training, ++m_step, &factor);
    }

private:
    RunPlan m_plan;
    train::MicrobatchShape m_shape;
    train::TensorGroup m_tensor;
    train::Compute m_compute;
    train::ParameterStore m_store;
    train::ChunkLayers m_layers;
    std::int64_t m_count;
    kernels::Buffer m_input;
    std::int64_t m_step = 0;
};

} // namespace

void measureLayers(Measurement& measurement)
{
    for (const ReferenceLayers& layers : referenceLayers()) {
        measurement.tell("layers", 0.93);
        Trainer trainer(measurement, layers);
        trainer.pass();
        trainer.update();
        measurement.world().barrier();
        std::vector<double> passes, updates;
        const bool late = measurement.isLate();
        if (late)
            measurement.countShortened();
        const double until = steadySeconds() + (late ? 0 : secondsOfPoint);
        while (passes.size() < (late ? 1 : leastSteps) || steadySeconds() < until) {
            const double begin = steadySeconds();
            trainer.pass();
            const double middle = steadySeconds();
            trainer.update();
            passes.push_back(middle - begin);
            updates.push_back(steadySeconds() - middle);
        }
        const double pass = measurement.lowerQuartileOf(std::move(passes));
        measurement.result().layers.push_back({measurement.under(), layers.width, layers.time,
                                               layers.layers, trainer.parameters(), pass,
                                               measurement.lowerQuartileOf(std::move(updates))});
    }
}

} // namespace triaxis::rank
