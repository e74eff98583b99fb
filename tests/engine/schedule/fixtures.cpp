#include "fixtures.h"

#include <sstream>
#include <stdexcept>

namespace triaxis::tests
{
namespace
{

struct Position
{
    int virtualStage = 0;
    int replica = 0;
    bool operator==(const Position&) const = default;
};

/// Reads "3" or "~3" from the front of `text`; `used` becomes the number of characters read.
Position readPosition(const std::string& text, std::size_t& used)
{
    Position position;
    const std::size_t mark = text.rfind('~', 0) == 0 ? 1 : 0;
    position.replica = int(mark);
    position.virtualStage = std::stoi(text.substr(mark), &used);
    used += mark;
    return position;
}

Kind kindOf(char letter)
{
    switch (letter) {
    case 'F':
        return Kind::Forward;
    case 'B':
        return Kind::Backward;
    case 'I':
        return Kind::BackwardInput;
    case 'W':
        return Kind::BackwardWeight;
    default:
        throw std::invalid_argument("unknown letter of a step");
    }
}

ComputeStep readStep(const std::string& word, const std::vector<Position>& chunks)
{
    std::size_t used = 0;
    const Position position = readPosition(word, used);
    for (int chunk = 0; chunk < int(chunks.size()); ++chunk)
        if (chunks[chunk] == position)
            return {kindOf(word.at(used)), Chunk(chunk),
                    Microbatch(std::stoi(word.substr(used + 1)))};
    throw std::invalid_argument("the stage does not hold " + word);
}

} // namespace

ModelSpec smallGpt2()
{
    ModelSpec model;
    model.name = "small GPT-2";
    model.architecture = Architecture::Gpt2;
    model.vocabulary = 509;
    model.positions = 64;
    model.hidden = 64;
    model.layers = 16;
    model.heads = model.kvHeads = 8;
    model.headSize = 8;
    model.feedForward = 256;
    return model;
}

ModelSpec smallLlama()
{
    ModelSpec model = smallGpt2();
    model.name = "small Llama";
    model.architecture = Architecture::Llama;
    model.vocabulary = 320;
    model.kvHeads = 4;
    model.feedForward = 176;
    model.tiedHead = false;
    return model;
}

ProgramInputs inputsFor(int stages, int microbatches, int dp, int chunks, const ModelSpec& model)
{
    ProgramInputs inputs;
    inputs.model = model;
    inputs.layout.dp = dp;
    inputs.layout.pp = stages;
    inputs.layout.virtualStages = chunks;
    inputs.batch.microbatch = 2;
    inputs.batch.sequence = 16;
    inputs.batch.globalBatch = 2 * microbatches * dp;
    inputs.bucketBytes = 1 << 18;
    return inputs;
}

ComputeProgram handWritten(const std::vector<std::vector<std::string>>& placement,
                           const std::vector<std::string>& steps, int microbatches)
{
    ComputeProgram program;
    program.schedule = "hand-written";
    program.stages = int(placement.size());
    program.microbatches = microbatches;
    program.chunks = int(placement.front().size());
    for (std::size_t stage = 0; stage < placement.size(); ++stage) {
        std::vector<Position> chunks;
        program.virtualStage.emplace_back();
        program.replica.emplace_back();
        for (const std::string& text : placement[stage]) {
            std::size_t used = 0;
            chunks.push_back(readPosition(text, used));
            program.virtualStage.back().push_back(chunks.back().virtualStage);
            program.replica.back().push_back(chunks.back().replica);
            program.replicas = std::max(program.replicas, chunks.back().replica + 1);
        }
        program.order.emplace_back();
        std::istringstream words(steps[stage]);
        for (std::string word; words >> word;)
            program.order.back().push_back(readStep(word, chunks));
    }
    return program;
}

ComputeProgram interleaved()
{
    return handWritten({{"0", "2"}, {"1", "3"}},
                       {"0F0 0F1 2F0 2F1 0F2 2B0 0F3 2B1 2F2 0B0 2F3 0B1 2B2 2B3 0B2 0B3",
                        "1F0 1F1 3F0 3B0 3F1 3B1 1F2 1B0 1F3 1B1 3F2 3B2 3F3 3B3 1B2 1B3"},
                       4);
}

ComputeProgram interleavedThree()
{
    return handWritten({{"0", "3"}, {"1", "4"}, {"2", "5"}},
                       {"0F0 0F1 0F2 3F0 3F1 3F2 3B0 3B1 3B2 0B0 0B1 0B2",
                        "1F0 1F1 1F2 4F0 4F1 4F2 4B0 4B1 4B2 1B0 1B1 1B2",
                        "2F0 2F1 2F2 5F0 5B0 5F1 5B1 5F2 5B2 2B0 2B1 2B2"},
                       3);
}

ComputeProgram splitBackward()
{
    return handWritten({{"0"}, {"1"}, {"2"}},
                       {"0F0 0F1 0F2 0I0 0F3 0I1 0W0 0I2 0W1 0I3 0W2 0W3",
                        "1F0 1F1 1I0 1F2 1I1 1W0 1F3 1I2 1W1 1I3 1W2 1W3",
                        "2F0 2I0 2W0 2F1 2I1 2F2 2W1 2I2 2F3 2W2 2I3 2W3"},
                       4);
}

ComputeProgram vShaped()
{
    return handWritten({{"0", "3"}, {"1", "2"}},
                       {"0F0 0F1 0F2 3F0 3I0 3W0 3F1 3I1 3F2 3I2 3W1 0B0 3W2 0I1 0W1 0B2",
                        "1F0 2F0 1F1 2F1 1F2 2F2 2B0 1B0 2I1 1I1 2I2 1I2 2W1 1W1 2W2 1W2"},
                       3);
}

ComputeProgram bidirectional()
{
    return handWritten(
        {{"0", "~3"}, {"1", "~2"}, {"2", "~1"}, {"3", "~0"}},
        {"0F0 0F1 ~3F2 ~3B2 ~3F3 ~3B3 0B0 0B1", "1F0 ~2F2 1F1 ~2F3 ~2B2 1B0 ~2B3 1B1",
         "~1F2 2F0 ~1F3 2F1 2B0 ~1B2 2B1 ~1B3", "~0F2 ~0F3 3F0 3B0 3F1 3B1 ~0B2 ~0B3"},
        4);
}

Program complete(const ComputeProgram& compute, int dp, const ModelSpec& model)
{
    const int virtualStagesAStage = compute.chunks / compute.replicas;
    return completeProgram(
        compute, inputsFor(compute.stages, compute.microbatches, dp, virtualStagesAStage, model));
}

} // namespace triaxis::tests
