#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace triaxis::emulation
{

/// A stack of its own that runs until it yields or ends, on the thread that resumes it.
class Fiber
{
public:
    Fiber();
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /// `body` must not throw. Only while nothing runs on it.
    void start(const std::function<void()>& body);
    /// Until its next yield(), or its end.
    void resume();
    /// From within the body: back to who resumed it.
    void yield();
    bool ended() const { return m_ended; }

private:
    struct Context;

    static void enter(Fiber* fiber);
    void prepare();

    const std::function<void()>* m_body = nullptr;
    void* m_stack = nullptr;
    std::size_t m_size; ///< from its lowest address to where it begins
    std::unique_ptr<Context> m_context;
    bool m_ended = true;
};

} // namespace triaxis::emulation
