#include "engine/data/batch_file.h"

#include "engine/core/file.h"
#include "engine/core/json_fields.h"

#include <algorithm>

namespace triaxis
{
namespace
{

constexpr const char* tried = "cannot read the file of batches";
constexpr int largest = std::numeric_limits<int>::max();

nlohmann::json readBatchFile(const std::filesystem::path& path)
{
    constexpr std::int64_t longestFile = std::int64_t(2) << 30;
    return parseJson(readFile(path, longestFile, tried), tried, path.string());
}

/// Steps, sequences and tokens of the "batches" member; every level must be even.
struct BatchSizes
{
    std::int64_t steps = 0;
    std::int64_t sequences = 0;
    std::int64_t tokens = 0; ///< T + 1
};

std::string place(std::size_t step, std::size_t sequence)
{
    return "batches[" + std::to_string(step) + "][" + std::to_string(sequence) + "]";
}

const nlohmann::json& evenArray(const JsonFields& fields, const nlohmann::json& value,
                                const std::string& where, std::int64_t& size)
{
    if (!value.is_array() || value.empty())
        fields.refuse(where, "is no array with entries");
    if (size != 0 && std::int64_t(value.size()) != size)
        fields.refuse(where, "has " + std::to_string(value.size()) +
                                 " entries, and the first has " + std::to_string(size));
    size = std::int64_t(value.size());
    return value;
}

BatchSizes sizesOf(const JsonFields& fields)
{
    BatchSizes sizes;
    const nlohmann::json& batches =
        evenArray(fields, fields.array("batches"), "batches", sizes.steps);
    for (std::size_t step = 0; step < batches.size(); ++step) {
        const std::string name = "batches[" + std::to_string(step) + "]";
        const nlohmann::json& batch = evenArray(fields, batches[step], name, sizes.sequences);
        for (std::size_t sequence = 0; sequence < batch.size(); ++sequence)
            evenArray(fields, batch[sequence], place(step, sequence), sizes.tokens);
    }
    if (sizes.tokens < 2)
        fields.refuse("batches", "has sequences of one token",
                      "give T + 1 tokens: T inputs and the last target");
    if (std::max({sizes.steps, sizes.sequences, sizes.tokens}) >= largest)
        fields.refuse("batches", "has too many entries");
    return sizes;
}

std::int32_t tokenOf(const JsonFields& fields, const nlohmann::json& value,
                     const std::string& where, int vocabulary)
{
    if (!value.is_number_integer())
        fields.refuse(where, "holds " + value.dump() + ", no token id");
    const auto token = value.get<std::int64_t>();
    if (token < 0 || token >= vocabulary)
        fields.refuse(where,
                      "holds token " + value.dump() + ", and the model's vocabulary has " +
                          std::to_string(vocabulary) + " entries",
                      "use the model that belongs to these batches");
    return std::int32_t(token);
}

void checkAgainst(const JsonFields& fields, const std::string& key, std::int64_t value)
{
    if (fields.integer(key, 1, largest, value) != value)
        fields.refuse(key, "is " + fields.value(key).dump() + ", and the batches say " +
                               std::to_string(value));
}

void applyHyperparameters(const JsonFields& fields, TrainingPlan& training)
{
    constexpr double most = 1e6;
    training.learningRate = fields.real("lr", 0, most, training.learningRate);
    training.beta1 = fields.real("beta1", 0, 1, training.beta1);
    training.beta2 = fields.real("beta2", 0, 1, training.beta2);
    training.epsilon = fields.real("eps", 0, most, training.epsilon);
    training.weightDecay = fields.real("weight_decay", 0, most, training.weightDecay);
    // Present but null says that there is no clipping; absent leaves the plan's.
    training.clipNorm = fields.contains("clip_grad_norm") && !fields.has("clip_grad_norm")
                            ? 0
                            : fields.real("clip_grad_norm", 0, 1e300, training.clipNorm);
}

} // namespace

BatchFileSource::BatchFileSource(const RunPlan& plan)
    : m_path(plan.data.path), m_vocabulary(plan.model.vocabulary)
{
    const nlohmann::json json = readBatchFile(m_path);
    const JsonFields fields(json, tried, m_path);
    const BatchSizes sizes = sizesOf(fields);
    const BatchShape& batch = plan.training.batch;
    if (sizes.sequences != batch.globalBatch || sizes.tokens != std::int64_t(batch.sequence) + 1)
        fields.refuse("batches",
                      "has " + std::to_string(sizes.sequences) + " sequences of " +
                          std::to_string(sizes.tokens - 1) + " tokens a step, and the plan has " +
                          std::to_string(batch.globalBatch) + " of " +
                          std::to_string(batch.sequence),
                      "use the sizes of the file");
    if (sizes.steps < plan.training.steps)
        fields.refuse("batches",
                      "has " + std::to_string(sizes.steps) + " steps, and the plan has " +
                          std::to_string(plan.training.steps),
                      "use at most " + std::to_string(sizes.steps) + " steps");
    m_samples = sizes.steps * sizes.sequences;
    m_width = std::size_t(sizes.tokens);
    m_tokens.reserve(std::size_t(m_samples) * m_width);
    const nlohmann::json& batches = fields.array("batches");
    for (std::size_t step = 0; step < batches.size(); ++step) {
        for (std::size_t sequence = 0; sequence < batches[step].size(); ++sequence) {
            for (const nlohmann::json& token : batches[step][sequence])
                m_tokens.push_back(tokenOf(fields, token, place(step, sequence), m_vocabulary));
        }
    }
}

void BatchFileSource::sample(std::int64_t index, std::int32_t* tokens) const
{
    if (index < 0 || index >= m_samples)
        throw Error(tried,
                    m_path + " has " + std::to_string(m_samples) + " sequences, and number " +
                        std::to_string(index + 1) + " is wanted",
                    "use fewer steps");
    const std::int32_t* from = m_tokens.data() + std::size_t(index) * m_width;
    std::copy(from, from + m_width, tokens);
}

void applyBatchFile(const std::filesystem::path& file, RunPlan& plan)
{
    std::error_code code;
    const std::filesystem::path whole = std::filesystem::absolute(file, code);
    const nlohmann::json json = readBatchFile(file);
    const JsonFields fields(json, tried, file.string());
    const BatchSizes sizes = sizesOf(fields);
    checkAgainst(fields, "batch", sizes.sequences);
    checkAgainst(fields, "sequence", sizes.tokens - 1);
    TrainingPlan training = plan.training;
    training.batch.globalBatch = int(sizes.sequences);
    training.batch.sequence = int(sizes.tokens - 1);
    training.steps = sizes.steps;
    training.seed = fields.bits("seed", training.seed);
    if (fields.has("hyperparameters"))
        applyHyperparameters(fields.object("hyperparameters"), training);
    plan.training = training;
    plan.data = DataPlan{DataKind::Batches, code ? file.string() : whole.string(), {}, -1};
}

} // namespace triaxis
