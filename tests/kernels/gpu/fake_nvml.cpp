// What NVML would say of three GPUs: two with four NVLinks between them, one elsewhere.

#include <string>

extern "C" {

int nvmlInit_v2()
{
    return 0;
}

int nvmlShutdown()
{
    return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** gpu)
{
    static int gpus[4];
    const int number = std::string(bus) == "0000:01:00.0"   ? 1
                       : std::string(bus) == "0000:02:00.0" ? 2
                       : std::string(bus) == "0000:81:00.0" ? 3
                                                            : 0;
    if (number == 0)
        return 6; // NVML_ERROR_NOT_FOUND
    gpus[number] = number;
    *gpu = &gpus[number];
    return 0;
}

int nvmlDeviceGetMaxClockInfo(void* gpu, int kind, unsigned* clock)
{
    if (*static_cast<int*>(gpu) == 3)
        return 3; // NVML_ERROR_NOT_SUPPORTED
    *clock = kind == 1 ? 1980 : 3201;
    return 0;
}

int nvmlDeviceGetTopologyCommonAncestor(void*, void*, int* level)
{
    *level = 50;
    return 0;
}

int nvmlDeviceGetP2PStatus(void* a, void* b, int capability, int* state)
{
    const bool linked = *static_cast<int*>(a) < 3 && *static_cast<int*>(b) < 3;
    *state = capability == 2 && linked ? 0 : 2;
    return 0;
}

int nvmlDeviceGetNvLinkState(void* gpu, unsigned link, unsigned* active)
{
    *active = *static_cast<int*>(gpu) < 3 && link < 4;
    return *static_cast<int*>(gpu) < 3 ? 0 : 3;
}
}
