#pragma once

#include "engine/schedule/program.h"

#include <cstdint>
#include <vector>

namespace triaxis
{

/// When a transfer between two stages moves.
enum class TransferRule {
    /// From the end of its producer on, whatever else moves: the rule of play() and of estimates.
    Free,
    /// As the runtime does: when both ends have been enqueued and reached by their in-order lanes;
    /// at most two sends of a lane are under way.
    Rendezvous
};

/// One compute instruction. `position`: virtual stage of its chunk; −1 for the optimizer.
struct ComputeItem
{
    int stage = 0;
    int position = -1;
    InstructionId id;
    std::int64_t flops = 0;
    int partner = -1; ///< the compute item that it runs overlapped with
};

/// One send with its receive.
struct TransferItem
{
    int from = 0, to = 0; ///< stages
    InstructionId send, receive;
    Lane sendLane = Lane::SendNext, receiveLane = Lane::ReceivePrevious;
    std::int64_t bytes = 0;
};

/// One collective of the program with all stages of a pipeline that take part.
struct CollectiveItem
{
    struct Member
    {
        int stage = 0;
        InstructionId id; ///< chunk numbers differ between twins
        Lane lane = Lane::Data;
    };
    Kind kind = Kind::GradientReduce;
    std::vector<Member> members;
    int firstSlot = 0; ///< of its members in tables of slots
    std::int64_t bytes = 0;
};

/// Seconds of the instructions for `width` columns (pipelines that run side by side):
/// [item · width + column].
struct PipelineDurations
{
    int width = 1;
    std::vector<double> compute; ///< the optimizer's are not looked at
    std::vector<double> transfer;
    /// [slot · width + column] what the issuing thread does before it enqueues a collective; empty:
    /// nothing.
    std::vector<double> enqueue;
    double overlapGain = 0; ///< share of the shorter of an overlapped pair that is saved, 0 … 1
};

/// What became of them, up to the last backward and the last send. [item · width + column].
struct PipelineTimes
{
    int width = 1;
    std::vector<double> computeBegin, computeEnd;
    std::vector<double> sendReady;                  ///< the producer had ended
    std::vector<double> receivePosted;              ///< the receive was enqueued
    std::vector<double> waitBegin;                  ///< the consumer began to wait
    std::vector<double> transferBegin, transferEnd; ///< bytes move
    std::vector<double>
        slotReady;              ///< [slot] a stage enqueued a collective; those of the tail later
    std::vector<double> thread; ///< [stage] the issuing thread reached the tail
    std::vector<double> lanes;  ///< [stage · lanes] room of the replay
};

/// Columns of a layout: column = data · tensor + t. Collectives over the data axis join those of
/// one t, those over the model those of one data index.
struct ColumnShape
{
    int data = 1;
    int tensor = 1;
    int count() const { return data * tensor; }
};

/// Seconds of the tail's instructions: [collective or stage · columns + column]. A collective takes
/// the longest of those it joins.
struct TailDurations
{
    std::vector<double> collective;
    std::vector<double> optimizer; ///< [stage]
    std::vector<double> enqueue;   ///< [slot] as of the pipeline
    /// [slot] from the begin of a collective until its member went on; empty: all do at its end.
    std::vector<double> member;
};

struct TailTimes
{
    std::vector<double> slotReady;                      ///< [slot]
    std::vector<double> collectiveBegin, collectiveEnd; ///< [collective]
    std::vector<double> optimizerBegin, optimizerEnd;   ///< [stage]
    std::vector<double> end;                            ///< [stage] of the step
};

/// A whole program (passes.h) compiled once to a flat list in an order in which everything comes
/// after what it depends on, to be replayed for new durations without working out again who waits
/// for whom. The pipeline is replayed for any number of columns side by side; the tail, in which
/// the columns meet, for all of them at once. Immutable.
class CompiledProgram
{
public:
    /// Throws Error for a program that gets stuck.
    explicit CompiledProgram(const Program& program);

    int stages() const { return m_stages; }
    int slotCount() const { return m_slots; }
    const std::vector<ComputeItem>& computes() const { return m_computes; }
    const std::vector<TransferItem>& transfers() const { return m_transfers; }
    const std::vector<CollectiveItem>& collectives() const { return m_collectives; }
    /// [stage] its optimizer step's item; −1: none.
    const std::vector<int>& optimizers() const { return m_optimizers; }

    /// The pipeline of `durations.width` columns, all of which begin at 0.
    void replayPipeline(const PipelineDurations& durations, TransferRule rule,
                        PipelineTimes& times) const;
    /// The tail of all columns. `thread` [stage · columns + column], `slotReady` [slot · columns +
    /// column] as the pipeline left them.
    TailTimes replayTail(const TailDurations& durations, const ColumnShape& columns,
                         std::vector<double> thread, std::vector<double> slotReady) const;

private:
    enum class OpKind : std::uint8_t {
        Compute,
        Send,    ///< enqueued
        Receive, ///< enqueued
        Move,
        WaitForSend,
        WaitForReceive,
        Enqueue, ///< item: slot
        Meet,    ///< item: collective
        WaitForCollective,
        Update ///< item: stage
    };
    struct Op
    {
        OpKind kind = OpKind::Compute;
        std::int32_t stage = 0;
        std::int32_t item = 0;
    };
    friend class ProgramCompiler;
    friend class SharedLinkReplay;
    /// The slot of a stage in a collective.
    std::size_t slotOf(int stage, int collective) const;
    template <TransferRule rule>
    void replay(const PipelineDurations& durations, PipelineTimes& times) const;
    void meet(const CollectiveItem& item, std::size_t index, const TailDurations& durations,
              const ColumnShape& columns, std::vector<double>& laneFree, TailTimes& times) const;

    int m_stages = 1;
    int m_slots = 0;
    std::vector<ComputeItem> m_computes;
    std::vector<TransferItem> m_transfers;
    std::vector<CollectiveItem> m_collectives;
    std::vector<int> m_optimizers;
    std::vector<Op> m_pipeline, m_tail;
};

} // namespace triaxis
