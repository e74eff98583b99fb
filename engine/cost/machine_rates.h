#pragma once

#include "engine/cost/machine_calibration.h"

#include <map>
#include <memory>
#include <vector>

namespace triaxis
{

/// Seconds of a piece of work on one rank of a calibrated machine whose cores are at their
/// quickest.
struct MachineSeconds
{
    double alone = 0;   ///< no other rank computes
    double crowded = 0; ///< ranks compute on all other cores
    MachineSeconds& operator+=(const MachineSeconds& other)
    {
        alone += other.alone;
        crowded += other.crowded;
        return *this;
    }
};

/// How many times as long operations take one after the other, as the layers of a run call them, as
/// when each is repeated.
struct CompanySample
{
    Occupancy under;
    std::int64_t work = 0; ///< workOf() of the layers
    double layers = 1;     ///< factor on the operations of a forward or a backward
    double update = 1;     ///< factor on the optimizer
};
/// The size of a layer's operations.
inline std::int64_t workOf(std::int64_t rows, std::int64_t width)
{
    return rows * width * width;
}
struct Company
{
    MachineSeconds layers{1, 1}, update{1, 1}; ///< factors
};

/// The samples of a calibration, arranged for looking up. Between samples seconds grow as a power
/// of the size; beyond them at the rate of the last one.
class MachineRates
{
public:
    /// `threads`: of each rank; between 1 and all cores they are taken between both. Throws Error
    /// where the calibration lacks what is needed.
    MachineRates(const MachineCalibration& calibration, int threads);
    /// For who asks what is done and not how long it takes: operations take no time.
    static MachineRates untimed() { return MachineRates(); }
    ~MachineRates();
    MachineRates(MachineRates&&) noexcept;
    MachineRates& operator=(MachineRates&&) noexcept;

    int cores() const { return m_cores; }
    int threads() const { return m_threads; }

    MachineSeconds product(ProductForm form, std::int64_t m, std::int64_t n, std::int64_t k) const;
    MachineSeconds operation(MachineOperation operation, std::int64_t elements) const;
    /// `heads` query heads of `kvHeads` groups in `batch` sequences; a group is one thread's work.
    MachineSeconds attention(bool backward, std::int64_t batch, int heads, int kvHeads,
                             std::int64_t time, std::int64_t headSize) const;
    /// What an operation takes longer than in the caches' reach where a rank comes back to
    /// `workingSet` bytes, of which the operation takes `bytes`.
    MachineSeconds beyondCaches(StreamUse use, std::int64_t workingSet, std::int64_t bytes) const;
    void setCompany(const std::vector<CompanySample>& samples);
    /// For layers of about so much work; 1 without samples.
    Company company(std::int64_t work) const;
    /// Seconds of one rank's processor for its part in an all-reduce of `ranks`, once all are
    /// there.
    double allReduce(int ranks, std::int64_t bytes) const;
    /// Seconds from a send to the arrival in a job of `ranks`.
    double message(int ranks, std::int64_t bytes) const;
    /// What it takes longer from a send to the receiver's going on, where that had waited for
    /// `waited` seconds, than between ranks that are awake. Waits longer than measured count as the
    /// longest.
    double wakeUp(int ranks, double waited) const;

private:
    struct Tables;

    MachineRates();

    int m_cores;
    int m_threads;
    std::unique_ptr<Tables> m_tables; ///< null: untimed
};

} // namespace triaxis
