#pragma once

#include <stdexcept>

namespace triaxis::emulation
{

/// What a real device would compute nonsense from, or stop at: the kernel, the thread, the address
/// and what is wrong with them.
class Violation : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

} // namespace triaxis::emulation
