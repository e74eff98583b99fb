#pragma once

#include "engine/schedule/program.h"

#include <deque>
#include <vector>

namespace triaxis
{

/// Writes the steps of one stage. Every chunk runs its microbatches in order, so that a generator
/// says only which chunk works next; the number of the microbatch follows.
class StageOrder
{
public:
    /// Every chunk takes all microbatches of the program.
    StageOrder(ComputeProgram& program, int stage);

    /// The chunk takes only `count` microbatches, from `first` on. What goes beyond them is left
    /// out, but counted: a pattern that needs a certain number may be written to its end.
    void take(int chunk, int first, int count);

    void forward(int chunk);
    void backward(int chunk);
    void backwardInput(int chunk);
    /// For the weights, of the oldest backward for the input that still lacks it.
    void backwardWeight();
    void backwardWeight(int chunk);
    /// The next forward of one chunk and the next backward of another at once.
    void overlapped(int forwardChunk, int backwardChunk);

    int forwards(int chunk) const { return m_chunks[chunk].forwards; }
    int backwards(int chunk) const { return m_chunks[chunk].backwards; } ///< full, or for the input
    /// Backwards for the input that still lack that for the weights: all, or those of a chunk.
    int pendingWeights() const { return int(m_pending.size()); }
    int pendingWeights(int chunk) const;

private:
    struct Counts
    {
        int first = 0;
        int count = 0;
        int forwards = 0;
        int backwards = 0;
    };
    struct Pending
    {
        int chunk = 0;
        int number = 0;
    };

    bool takes(int chunk, int number) const { return number < m_chunks[chunk].count; }
    void add(Kind kind, int chunk, int number, bool withNext = false);

    std::vector<ComputeStep>& m_steps;
    std::vector<Counts> m_chunks;
    std::deque<Pending> m_pending; ///< backwards for the input without those for the weights
};

} // namespace triaxis
