#include "kernels/gpu/nvml.h"

#include <dlfcn.h>

#include <memory>

namespace triaxis::kernels
{

namespace
{

// The part of NVML that is used, declared here: its header is not needed to build. Its ABI is
// fixed.
using Handle = void*;
constexpr int success = 0;
enum ClockKind { ProcessorClock = 1, MemoryClock = 2 };
constexpr int nvlinkCapability = 2; ///< NVML_P2P_CAPS_INDEX_NVLINK
constexpr unsigned mostNvlinks = 18;

/// NVML_TOPOLOGY_…: where the paths of two GPUs meet.
const char* pathOf(int level)
{
    if (level <= 10)
        return "PCIe, one switch";
    if (level <= 20)
        return "PCIe, several switches";
    if (level <= 30)
        return "PCIe, one host bridge";
    if (level <= 40)
        return "PCIe, one processor";
    return "PCIe, between processors";
}

struct Closer
{
    void operator()(void* library) const { dlclose(library); }
};

class Nvml
{
public:
    explicit Nvml(const char* name) : m_library(dlopen(name, RTLD_NOW | RTLD_LOCAL))
    {
        if (!m_library) {
            const char* const reason = dlerror();
            m_problem = reason ? reason : "NVML cannot be loaded";
            return;
        }
        take(m_start, "nvmlInit_v2");
        take(m_end, "nvmlShutdown");
        take(m_handleOf, "nvmlDeviceGetHandleByPciBusId_v2");
        take(m_clock, "nvmlDeviceGetMaxClockInfo");
        take(m_ancestor, "nvmlDeviceGetTopologyCommonAncestor");
        take(m_peer, "nvmlDeviceGetP2PStatus");
        take(m_linkState, "nvmlDeviceGetNvLinkState");
        if (m_problem.empty() && m_start() != success)
            m_problem = "NVML does not start";
        m_started = m_problem.empty();
    }
    ~Nvml()
    {
        if (m_started)
            m_end();
    }
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    /// Empty if it can be asked.
    const std::string& problem() const { return m_problem; }

    Handle handleOf(const std::string& bus) const
    {
        Handle handle = nullptr;
        return m_handleOf(bus.c_str(), &handle) == success ? handle : nullptr;
    }
    /// MHz; 0: not known.
    int clock(Handle gpu, ClockKind kind) const
    {
        unsigned clock = 0;
        return m_clock(gpu, kind, &clock) == success ? int(clock) : 0;
    }
    int nvlinksOf(Handle gpu) const
    {
        int count = 0;
        for (unsigned link = 0; link < mostNvlinks; ++link) {
            unsigned active = 0;
            count += m_linkState(gpu, link, &active) == success && active == 1 ? 1 : 0;
        }
        return count;
    }
    /// "NVLink" or a path of PCIe; empty: not known.
    std::string kindOf(Handle a, Handle b) const
    {
        int state = 0, level = 0;
        if (m_peer(a, b, nvlinkCapability, &state) == success && state == success)
            return "NVLink";
        return m_ancestor(a, b, &level) == success ? pathOf(level) : "";
    }

private:
    template <class Function>
    void take(Function& function, const char* name)
    {
        function = reinterpret_cast<Function>(dlsym(m_library.get(), name));
        if (!function && m_problem.empty())
            m_problem = std::string("NVML has no ") + name;
    }

    std::unique_ptr<void, Closer> m_library;
    std::string m_problem;
    bool m_started = false;
    int (*m_start)() = nullptr;
    int (*m_end)() = nullptr;
    int (*m_handleOf)(const char*, Handle*) = nullptr;
    int (*m_clock)(Handle, int, unsigned*) = nullptr;
    int (*m_ancestor)(Handle, Handle, int*) = nullptr;
    int (*m_peer)(Handle, Handle, int, int*) = nullptr;
    int (*m_linkState)(Handle, unsigned, unsigned*) = nullptr;
};

} // namespace

void addManagementFacts(GpuSurvey& survey, const char* library)
{
    if (survey.gpus.empty())
        return;
    const Nvml nvml(library);
    survey.linkProblem = nvml.problem();
    if (!survey.linkProblem.empty())
        return;
    std::vector<Handle> handles;
    for (GpuFacts& gpu : survey.gpus) {
        Handle const handle = handles.emplace_back(nvml.handleOf(gpu.bus));
        if (!handle) {
            survey.linkProblem =
                "NVML does not know GPU " + std::to_string(gpu.number) + " (" + gpu.bus + ")";
            continue;
        }
        gpu.clockMhz = nvml.clock(handle, ProcessorClock);
        gpu.memoryClockMhz = nvml.clock(handle, MemoryClock);
        gpu.nvlinks = nvml.nvlinksOf(handle);
    }
    for (std::size_t i = 0; i < handles.size(); ++i)
        for (std::size_t j = i + 1; j < handles.size(); ++j)
            if (handles[i] && handles[j])
                if (std::string kind = nvml.kindOf(handles[i], handles[j]); !kind.empty())
                    survey.links.push_back(
                        {survey.gpus[i].number, survey.gpus[j].number, std::move(kind)});
}

} // namespace triaxis::kernels
