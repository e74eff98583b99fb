#include "engine/schedule/verifier_rules.h"

#include "engine/schedule/compute_program.h"

namespace triaxis
{
namespace
{

std::optional<Refusal> broken(int stage, const std::string& reason)
{
    return refusal(stage, 0, InstructionId(), reason);
}

std::string chunkText(int chunk)
{
    return "chunk " + std::to_string(chunk);
}

std::optional<Refusal> checkSizes(const Program& program)
{
    if (program.stages < 1 || program.microbatches < 1 || program.chunks < 1 ||
        program.replicas < 1)
        return broken(0, "a program has at least one stage, microbatch, chunk and replica");
    if (program.chunks > maximumChunks || program.microbatches > maximumMicrobatches)
        return broken(0, "more chunks or microbatches than instruction ids can name");
    if (program.stages * program.chunks % program.replicas != 0)
        return broken(0, "the chunks of all stages do not divide over the replicas");
    if (int(program.perStage.size()) != program.stages)
        return broken(0, "the program has no list for every stage");
    for (int stage = 0; stage < program.stages; ++stage) {
        if (program.perStage[stage].stage.value != stage)
            return broken(stage, "the lists are not in the order of the stages");
        if (int(program.perStage[stage].chunks.size()) != program.chunks)
            return broken(stage,
                          "the stage does not hold " + std::to_string(program.chunks) + " chunks");
    }
    return std::nullopt;
}

std::optional<Refusal> checkChunk(const Program& program, int stage, int chunk,
                                  std::vector<std::vector<const ChunkContent*>>& held)
{
    const ChunkContent& content = program.perStage[stage].chunks[chunk];
    const int positions = program.stages * program.chunks / program.replicas;
    if (content.replica < 0 || content.replica >= program.replicas || content.virtualStage < 0 ||
        content.virtualStage >= positions)
        return broken(stage, chunkText(chunk) + " has no place in the model");
    const ChunkContent*& holder = held[content.replica][content.virtualStage];
    if (holder)
        return broken(stage,
                      chunkText(chunk) + " holds a part of the model that another chunk holds");
    holder = &content;
    if (content.embedding != (content.virtualStage == 0))
        return broken(stage, "the embedding belongs to the first virtual stage only");
    if (content.head != (content.virtualStage == positions - 1))
        return broken(stage, "the head belongs to the last virtual stage only");
    return std::nullopt;
}

} // namespace

std::optional<Refusal> checkProgramShape(const Program& program)
{
    if (auto found = checkSizes(program))
        return found;
    const int positions = program.stages * program.chunks / program.replicas;
    std::vector<std::vector<const ChunkContent*>> held(
        program.replicas, std::vector<const ChunkContent*>(positions, nullptr));
    for (int stage = 0; stage < program.stages; ++stage)
        for (int chunk = 0; chunk < program.chunks; ++chunk)
            if (auto found = checkChunk(program, stage, chunk, held))
                return found;
    // As many chunks as places, none held twice: all are held.
    for (int stage = 0; stage < program.stages; ++stage) {
        for (const ChunkContent& content : program.perStage[stage].chunks) {
            const int position = content.virtualStage;
            const int first = position == 0 ? 0
                                            : held[content.replica][position - 1]->firstLayer +
                                                  held[content.replica][position - 1]->layerCount;
            if (content.layerCount < 0 || content.firstLayer != first)
                return broken(stage, "layers are missing or held twice at virtual stage " +
                                         std::to_string(position));
            if (content.layerCount != held[0][position]->layerCount)
                return broken(stage, "replicas of virtual stage " + std::to_string(position) +
                                         " hold different layers");
        }
    }
    return std::nullopt;
}

} // namespace triaxis
