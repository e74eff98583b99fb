// The checks of the emulated device, each provoked by a kernel that does what it forbids.

#include <QtTest>

#include "kernels/cuda/language.h"
#include "kernels/cuda/threads.h"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace triaxis::kernels::emulated_cuda;
using triaxis::emulation::machine;

namespace
{

__global__ void copyKernel(Global<float> to, Global<const float> from, int count)
{
    for (std::int64_t i = firstElement(); i < count; i += elementStep())
        to[i] = from[i];
}

__global__ void writeBeforeKernel(Global<float> to)
{
    (to - 1)[0] = 1;
}

__global__ void divergentPlacesKernel(Global<float> to)
{
    if (threadIdx.x < 16)
        __syncthreads();
    else
        __syncthreads();
    to[threadIdx.x] = 1;
}

__global__ void divergentEndKernel(Global<float> to)
{
    if (threadIdx.x == 5)
        return;
    __syncthreads();
    to[threadIdx.x] = 1;
}

__global__ void reverseKernel(Global<float> to, Global<const float> from)
{
    __shared__ SharedArray<float, 64> kept;
    const int i = int(threadIdx.x);
    kept[i] = from[i];
    __syncthreads();
    to[i] = kept[63 - i];
}

__global__ void racingReadKernel(Global<float> to, Global<const float> from)
{
    __shared__ SharedArray<float, 64> kept;
    const int i = int(threadIdx.x);
    kept[i] = from[i];
    to[i] = kept[i > 0 ? i - 1 : 0];
}

__global__ void racingWriteKernel(Global<float> to)
{
    __shared__ SharedArray<float, 2> kept;
    kept[0] = float(threadIdx.x);
    to[threadIdx.x] = kept[0];
}

__global__ void emptySharedKernel(Global<float> to)
{
    __shared__ SharedArray<float, 2> kept;
    to[threadIdx.x] = kept[1];
}

__global__ void beyondSharedKernel(Global<float> to)
{
    __shared__ SharedArray<float, 8> kept;
    kept[int(threadIdx.x)] = 1;
    to[threadIdx.x] = 1;
}

__global__ void dynamicKernel(Global<float> to, int count)
{
    const Shared<float> kept = dynamicShared<float>(0, count);
    kept[threadIdx.x] = float(threadIdx.x);
    __syncthreads();
    to[threadIdx.x] = kept[count - 1 - int(threadIdx.x)];
}

__global__ void warpKernel(Global<float> sums, Global<int> votes)
{
    const float value = float(threadIdx.x);
    sums[threadIdx.x] = overWarp(value, Sum());
    const int seventh = __shfl_sync(wholeWarp, int(threadIdx.x), 7);
    const float next = __shfl_down_sync(wholeWarp, value, 1);
    const unsigned odd = __ballot_sync(wholeWarp, int(threadIdx.x) & 1);
    votes[4 * threadIdx.x] = seventh;
    votes[4 * threadIdx.x + 1] = int(next);
    votes[4 * threadIdx.x + 2] = int(odd);
    votes[4 * threadIdx.x + 3] =
        __any_sync(wholeWarp, threadIdx.x == 40) + 2 * __all_sync(wholeWarp, 1);
}

__global__ void lonelyShuffleKernel(Global<float> to)
{
    if (threadIdx.x == 3)
        return;
    to[threadIdx.x] = overWarp(1.0f, Sum());
}

__global__ void blockSumKernel(Global<float> to)
{
    __shared__ SharedArray<float, 32> scratch;
    to[threadIdx.x] = overBlock(float(threadIdx.x), scratch, Sum());
}

__global__ void countKernel(Global<int> counter, Global<int> largest)
{
    atomicAdd(&counter[0], 1);
    atomicMax(&largest[0], int(blockIdx.x * blockDim.x + threadIdx.x));
}

/// Device memory that goes with the test.
template <class T>
struct Array
{
    explicit Array(std::size_t elements) : count(elements)
    {
        void* memory = nullptr;
        check(cudaMalloc(&memory, count * sizeof(T)), "allocating");
        data = static_cast<T*>(memory);
    }
    ~Array() { cudaFree(data); }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;

    void set(const std::vector<T>& values)
    {
        check(cudaMemcpyAsync(data, values.data(), values.size() * sizeof(T),
                              cudaMemcpyHostToDevice, nullptr),
              "copying");
    }
    std::vector<T> get()
    {
        std::vector<T> values(count);
        check(cudaMemcpyAsync(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost,
                              nullptr),
              "copying");
        return values;
    }

    T* data = nullptr;
    std::size_t count;
};

std::vector<float> numbers(std::size_t count)
{
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = float(i);
    return values;
}

} // namespace

/// The device is lost, and says why.
#define VERIFY_LOST(words)                                                                         \
    do {                                                                                           \
        QVERIFY(cudaDeviceSynchronize() != cudaSuccess);                                           \
        const QByteArray reason = cudaGetErrorString(cudaGetLastError());                          \
        QVERIFY2(reason.contains(words), reason.constData());                                      \
    } while (false)

class EmulationTest : public QObject
{
    Q_OBJECT

private slots:
    void cleanup() { machine().recover(); }

    void runsKernelsInOrder()
    {
        Array<float> a(1000), b(1000);
        a.set(numbers(1000));
        launch<copyKernel>(2, 256, 0, nullptr, b.data, a.data, 1000);
        QCOMPARE(b.get(), numbers(1000));
    }

    void nothingRunsBeforeItIsWaitedFor()
    {
        Array<float> a(8), b(8);
        cudaStream_t first = nullptr, second = nullptr;
        check(cudaStreamCreateWithPriority(&first, cudaStreamNonBlocking, 0), "making a stream");
        check(cudaStreamCreateWithPriority(&second, cudaStreamNonBlocking, 0), "making a stream");
        check(cudaMemsetAsync(a.data, 0, 32, first), "clearing");
        launch<copyKernel>(1, 32, 0, second, b.data, a.data,
                           8); // does not wait for the other stream
        QVERIFY(cudaStreamSynchronize(second) != cudaSuccess);
        VERIFY_LOST("nothing was written");
        machine().recover();

        cudaEvent_t event = nullptr;
        check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "making an event");
        check(cudaMemsetAsync(a.data, 0, 32, first), "clearing");
        check(cudaEventRecord(event, first), "recording");
        check(cudaStreamWaitEvent(second, event), "waiting");
        launch<copyKernel>(1, 32, 0, second, b.data, a.data, 8);
        check(cudaStreamSynchronize(second), "waiting");
        QCOMPARE(b.get(), std::vector<float>(8, 0.0f));
        QCOMPARE(cudaEventQuery(event), cudaSuccess);
        cudaEventDestroy(event);
        cudaStreamDestroy(first);
        cudaStreamDestroy(second);
    }

    void measuresTimeBetweenEvents()
    {
        cudaEvent_t begin = nullptr, end = nullptr;
        check(cudaEventCreateWithFlags(&begin, cudaEventDefault), "making an event");
        check(cudaEventCreateWithFlags(&end, cudaEventDefault), "making an event");
        check(cudaEventRecord(begin, nullptr), "recording");
        check(cudaEventRecord(end, nullptr), "recording");
        float milliseconds = -1;
        QCOMPARE(cudaEventElapsedTime(&milliseconds, begin, end), cudaErrorNotReady);
        check(cudaEventSynchronize(end), "waiting");
        check(cudaEventElapsedTime(&milliseconds, begin, end), "reading the time");
        QVERIFY(milliseconds >= 0);
        cudaEventDestroy(begin);
        cudaEventDestroy(end);
    }

    void findsReadsBeyondTheEnd()
    {
        Array<float> a(100), b(128);
        a.set(numbers(100));
        launch<copyKernel>(1, 128, 0, nullptr, b.data, a.data, 101);
        VERIFY_LOST("copyKernel, block (0, 0, 0), thread (100, 0, 0): reads 4 bytes out of bounds: "
                    "at byte 400 of allocation");
    }

    void findsWritesBeforeTheBegin()
    {
        Array<float> a(100);
        launch<writeBeforeKernel>(1, 1, 0, nullptr, a.data);
        VERIFY_LOST("writes 4 bytes out of bounds: at byte -4");
    }

    void findsUseOfFreedMemory()
    {
        Array<float> b(8);
        void* a = nullptr;
        check(cudaMalloc(&a, 32), "allocating");
        check(cudaFree(a), "freeing");
        launch<copyKernel>(1, 32, 0, nullptr, b.data, static_cast<float*>(a), 8);
        VERIFY_LOST("out of bounds");
    }

    void findsUseOfUnwrittenMemory()
    {
        Array<float> a(8), b(8);
        launch<copyKernel>(1, 32, 0, nullptr, b.data, a.data, 8);
        VERIFY_LOST("reads memory that nothing was written to");
    }

    void findsAHandedOutBlockThatIsReadBeforeItIsWritten()
    {
        Array<float> a(8), b(8);
        a.set(numbers(8));
        check(cudaDeviceSynchronize(), "waiting");
        machine().memory().reuse(a.data, 16);
        launch<copyKernel>(1, 32, 0, nullptr, b.data, a.data, 1);
        VERIFY_LOST("nothing was written");
        machine().recover();
        a.set(numbers(4));
        launch<copyKernel>(1, 32, 0, nullptr, b.data, a.data, 5); // beyond what was handed out
        VERIFY_LOST("out of bounds");
    }

    void findsCopiesOutOfBounds()
    {
        Array<float> a(8);
        a.set(numbers(9));
        VERIFY_LOST("a copy reaches 36 bytes out of bounds");
        machine().recover();
        Array<float> b(8);
        std::vector<float> host(8);
        QVERIFY(cudaMemcpyAsync(host.data(), b.data, 32, cudaMemcpyDeviceToHost, nullptr) !=
                cudaSuccess);
        VERIFY_LOST("nothing was written");
    }

    void findsDivergentBarriers()
    {
        Array<float> a(32);
        launch<divergentPlacesKernel>(1, 32, 0, nullptr, a.data);
        VERIFY_LOST("divergent barrier: thread (0, 0, 0) waits at");
        machine().recover();
        launch<divergentEndKernel>(1, 32, 0, nullptr, a.data);
        VERIFY_LOST("divergent barrier: thread (5, 0, 0) has ended");
    }

    void sharesMemoryWithinABlock()
    {
        Array<float> a(64), b(64);
        a.set(numbers(64));
        launch<reverseKernel>(1, 64, 0, nullptr, b.data, a.data);
        std::vector<float> expected = numbers(64);
        std::reverse(expected.begin(), expected.end());
        QCOMPARE(b.get(), expected);
        launch<dynamicKernel>(1, 64, 256, nullptr, b.data, 64);
        QCOMPARE(b.get(), expected);
    }

    void findsRacesOnSharedMemory()
    {
        Array<float> a(64), b(64);
        a.set(numbers(64));
        launch<racingReadKernel>(1, 64, 0, nullptr, b.data, a.data);
        VERIFY_LOST("without a barrier between");
        machine().recover();
        launch<racingWriteKernel>(1, 64, 0, nullptr, b.data);
        VERIFY_LOST("writes shared memory that");
    }

    void findsUnwrittenAndMissingSharedMemory()
    {
        Array<float> a(64);
        launch<emptySharedKernel>(1, 1, 0, nullptr, a.data);
        VERIFY_LOST("reads shared memory that nothing was written to");
        machine().recover();
        launch<beyondSharedKernel>(1, 9, 0, nullptr, a.data);
        VERIFY_LOST("reaches element 8 of 8 in shared memory");
        machine().recover();
        launch<dynamicKernel>(1, 64, 128, nullptr, a.data, 64);
        VERIFY_LOST("uses 256 bytes of dynamic shared memory; the launch gave 128");
    }

    void lanesOfAWarpExchangeValues()
    {
        Array<float> sums(64);
        Array<int> votes(256);
        launch<warpKernel>(1, 64, 0, nullptr, sums.data, votes.data);
        const std::vector<float> s = sums.get();
        const std::vector<int> v = votes.get();
        QCOMPARE(s[0], 496.0f);
        QCOMPARE(s[31], 496.0f);
        QCOMPARE(s[63], 1520.0f);
        QCOMPARE(v[4 * 12], 7);
        QCOMPARE(v[4 * 50], 39);
        QCOMPARE(v[4 * 12 + 1], 13);
        QCOMPARE(v[4 * 31 + 1], 31);
        QCOMPARE(unsigned(v[2]), 0xaaaaaaaau);
        QCOMPARE(v[3], 2);
        QCOMPARE(v[4 * 33 + 3], 3);
        Array<float> totals(96);
        launch<blockSumKernel>(1, 96, 0, nullptr, totals.data);
        QCOMPARE(totals.get(), std::vector<float>(96, 4560.0f));
    }

    void findsLanesThatNeverCome()
    {
        Array<float> a(32);
        launch<lonelyShuffleKernel>(1, 32, 0, nullptr, a.data);
        VERIFY_LOST("waits for lane 3 of its warp, which has ended");
    }

    void addsAtomically()
    {
        Array<int> counter(1), largest(1);
        counter.set({0});
        largest.set({-1});
        launch<countKernel>(3, 100, 0, nullptr, counter.data, largest.data);
        QCOMPARE(counter.get()[0], 300);
        QCOMPARE(largest.get()[0], 299);
    }

    void refusesLaunchesThatADeviceRefuses()
    {
        Array<float> a(8);
        for (const auto& [grid, block, shared] :
             {std::tuple(dim3(0), dim3(32), std::size_t(0)),
              std::tuple(dim3(1), dim3(1025), std::size_t(0)),
              std::tuple(dim3(1, 70000), dim3(32), std::size_t(0)),
              std::tuple(dim3(1), dim3(32), std::size_t(1) << 20)})
            try {
                launch<writeBeforeKernel>(grid, block, shared, nullptr, a.data);
                QFAIL("the launch went through");
            } catch (const triaxis::kernels::DeviceError& error) {
                QCOMPARE(error.what(),
                         "the GPU failed while launching writeBeforeKernel: invalid argument");
            }
    }

    void hostCodeCannotReachDeviceMemory()
    {
        Array<float> a(8);
        a.set(numbers(8));
        check(cudaDeviceSynchronize(), "waiting");
        int ends[2];
        QCOMPARE(pipe(ends), 0);
        const pid_t child = fork();
        if (child == 0) {
            dup2(ends[1], STDERR_FILENO);
            const volatile float* const at = a.data;
            _exit(at[3] > 0 ? 1 : 2);
        }
        close(ends[1]);
        int status = 0;
        QCOMPARE(waitpid(child, &status, 0), child);
        QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
        char text[200] = {};
        QVERIFY(read(ends[0], text, sizeof text - 1) > 0);
        close(ends[0]);
        QVERIFY2(QByteArray(text).contains("host code reads or writes device memory directly"),
                 text);
    }

    void memoryEnds()
    {
        void* memory = nullptr;
        QCOMPARE(cudaMalloc(&memory, std::size_t(1) << 40), cudaErrorMemoryAllocation);
        machine().failAllocation(2);
        QCOMPARE(cudaMalloc(&memory, 64), cudaSuccess);
        void* second = nullptr;
        QCOMPARE(cudaMalloc(&second, 64), cudaErrorMemoryAllocation);
        machine().failAllocation(0);
        check(cudaFree(memory), "freeing");
        QVERIFY(cudaFree(memory) != cudaSuccess);
        VERIFY_LOST("no allocation begins at this address");
    }
};

QTEST_APPLESS_MAIN(EmulationTest)
#include "emulation_test.moc"
