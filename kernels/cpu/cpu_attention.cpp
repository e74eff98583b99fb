#include "kernels/cpu/attention_part.h"
#include "kernels/cpu/cpu_device.h"

namespace triaxis::kernels::cpu
{

void CpuDevice::attentionForward(Stream&, const Attention& a, float* out, float* logSumExp)
{
    const std::int64_t scratchSize = AttentionPart::scratchSize(a);
    const Buffer scratch = allocateFloats(m_pool.threads() * scratchSize, MemoryUse::Workspace);
    m_pool.run(a.batch * a.kvHeads, [&](std::int64_t part, int thread) {
        AttentionPart(m_kernels, a, part / a.kvHeads, part % a.kvHeads,
                      scratch.floats() + thread * scratchSize)
            .forward(out, logSumExp);
    });
}

void CpuDevice::attentionBackward(Stream&, const Attention& a, float* dQ, float* dK, float* dV,
                                  const float* dOut, const float* out, const float* logSumExp)
{
    const std::int64_t scratchSize = AttentionPart::scratchSize(a);
    const Buffer scratch = allocateFloats(m_pool.threads() * scratchSize, MemoryUse::Workspace);
    m_pool.run(a.batch * a.kvHeads, [&](std::int64_t part, int thread) {
        AttentionPart(m_kernels, a, part / a.kvHeads, part % a.kvHeads,
                      scratch.floats() + thread * scratchSize)
            .backward(dQ, dK, dV, dOut, out, logSumExp);
    });
}

} // namespace triaxis::kernels::cpu
