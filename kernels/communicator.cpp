#include "kernels/communicator.h"

namespace triaxis::kernels
{

namespace
{

/// A moment of a device that does at once what it is asked for.
class Now final : public Request
{
public:
    explicit Now(double time) : m_timing{time, time, time} {}
    bool test() override { return true; }
    void markReady(double) override {}
    Timing timing() const override { return m_timing; }

private:
    Timing m_timing;
};

} // namespace

std::unique_ptr<Request> World::moment()
{
    return std::make_unique<Now>(now());
}

} // namespace triaxis::kernels
