#include "kernels/cuda/emulation/fiber.h"

#include <cstdint>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace triaxis::emulation
{

namespace
{

constexpr std::size_t stackBytes = std::size_t(128) << 10;
constexpr std::size_t guardBytes = 4096;

/// Where a stack begins: were they all in the same place of a page, they would drive each other out
/// of the caches.
std::size_t nextOffset()
{
    constexpr std::size_t step = 9 * 64, places = 56;
    static std::size_t number = 0;
    return step * (number++ % places);
}

/// The lowest page is a guard: a stack that overflows faults.
void* makeStack()
{
    void* const stack = mmap(nullptr, stackBytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED)
        throw std::bad_alloc();
    mprotect(stack, guardBytes, PROT_NONE);
    return stack;
}

} // namespace

#if defined(__x86_64__)

// A switch saves what the System V ABI lets a callee keep, on the stack that it leaves.
extern "C" void triaxisSwitchFiber(void** left, void* entered);
asm(R"(
.text
.globl triaxisSwitchFiber
.type triaxisSwitchFiber, @function
triaxisSwitchFiber:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    popq %rcx
    jmp *%rcx
.size triaxisSwitchFiber, .-triaxisSwitchFiber
.globl triaxisEnterFiber
.type triaxisEnterFiber, @function
triaxisEnterFiber:
    movq %r12, %rdi
    call *%r13
    ud2
.size triaxisEnterFiber, .-triaxisEnterFiber
)");
extern "C" void triaxisEnterFiber();

struct Fiber::Context
{
    void* own = nullptr;    ///< stack pointer of the fiber while it does not run
    void* caller = nullptr; ///< of who resumed it
};

/// Lays the frame that the first switch pops: r15, r14, r13 = enter, r12 = this, rbx, rbp, return.
void Fiber::prepare()
{
    auto* top = reinterpret_cast<std::uintptr_t*>(static_cast<char*>(m_stack) + m_size);
    *--top = 0;
    *--top = 0;
    *--top = reinterpret_cast<std::uintptr_t>(&triaxisEnterFiber);
    *--top = 0;
    *--top = 0;
    *--top = reinterpret_cast<std::uintptr_t>(this);
    *--top = reinterpret_cast<std::uintptr_t>(&Fiber::enter);
    *--top = 0;
    *--top = 0;
    m_context->own = top;
}

void Fiber::resume()
{
    triaxisSwitchFiber(&m_context->caller, m_context->own);
}

void Fiber::yield()
{
    triaxisSwitchFiber(&m_context->own, m_context->caller);
}

#else

struct Fiber::Context
{
    ucontext_t own{};
    ucontext_t caller{};
};

void Fiber::prepare()
{
    getcontext(&m_context->own);
    m_context->own.uc_stack.ss_sp = m_stack;
    m_context->own.uc_stack.ss_size = m_size;
    m_context->own.uc_link = &m_context->caller;
    const auto address = reinterpret_cast<std::uintptr_t>(this);
    void (*const entry)(unsigned, unsigned) = [](unsigned high, unsigned low) {
        Fiber::enter(reinterpret_cast<Fiber*>((std::uintptr_t(high) << 32) | low));
    };
    makecontext(&m_context->own, reinterpret_cast<void (*)()>(entry), 2, unsigned(address >> 32),
                unsigned(address));
}

void Fiber::resume()
{
    swapcontext(&m_context->caller, &m_context->own);
}

void Fiber::yield()
{
    swapcontext(&m_context->own, &m_context->caller);
}

#endif

Fiber::Fiber()
    : m_stack(makeStack()), m_size(stackBytes - nextOffset()),
      m_context(std::make_unique<Context>())
{
}

Fiber::~Fiber()
{
    munmap(m_stack, stackBytes);
}

void Fiber::start(const std::function<void()>& body)
{
    m_body = &body;
    m_ended = false;
    prepare();
}

void Fiber::enter(Fiber* fiber)
{
    (*fiber->m_body)();
    fiber->m_ended = true;
    fiber->yield();
    std::abort(); // an ended fiber is never resumed
}

} // namespace triaxis::emulation
