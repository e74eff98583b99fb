#pragma once

#include "kernels/communicator.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace triaxis::test
{

/// A communication that is over as soon as it is issued.
class DoneRequest : public kernels::Request
{
public:
    explicit DoneRequest(double time) : m_timing{time, time, time} {}
    bool test() override { return true; }
    void markReady(double) override {}
    kernels::Timing timing() const override { return m_timing; }

private:
    kernels::Timing m_timing;
};

/// A world of one rank, without MPI.
class SingleWorld : public kernels::World
{
public:
    class Alone : public kernels::Communicator
    {
    public:
        explicit Alone(const SingleWorld& world) : m_world(world) {}
        int rank() const override { return 0; }
        int size() const override { return 1; }
        std::unique_ptr<kernels::Request> send(const void*, std::size_t, int, int) override
        {
            throw std::logic_error("one rank has nobody to send to");
        }
        std::unique_ptr<kernels::Request> receive(void*, std::size_t, int, int) override
        {
            throw std::logic_error("one rank has nobody to receive from");
        }
        std::unique_ptr<kernels::Request> allReduce(float*, std::int64_t,
                                                    kernels::Reduction) override
        {
            return std::make_unique<DoneRequest>(m_world.now());
        }
        std::unique_ptr<kernels::Request> allReduce(double*, std::int64_t,
                                                    kernels::Reduction) override
        {
            return std::make_unique<DoneRequest>(m_world.now());
        }

    private:
        const SingleWorld& m_world;
    };

    int rank() const override { return 0; }
    int size() const override { return 1; }
    std::string library() const override { return "none"; }
    std::unique_ptr<kernels::Communicator> makeGroup(const std::vector<std::vector<int>>&) override
    {
        return std::make_unique<Alone>(*this);
    }
    double now() const override
    {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count();
    }
    double toWorldClock(double localSeconds) const override { return localSeconds; }
    Clock synchronizeClocks() override { return {}; }
    void progress() override { ++m_progressCalls; }
    void wait(kernels::Request& request) override
    {
        if (!request.test())
            throw std::logic_error("nothing can be outstanding");
    }
    void barrier() override {}
    void broadcast(void*, std::size_t, int) override {}
    [[noreturn]] void abort(int code) override { std::_Exit(code); }

    int progressCalls() const { return m_progressCalls; }

private:
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
    int m_progressCalls = 0;
};

} // namespace triaxis::test
