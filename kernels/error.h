#pragma once

#include <stdexcept>
#include <string>

namespace triaxis::kernels
{

/// A device or communication fault: what was tried, and the detail. engine_run turns it into triaxis::Error.
class DeviceError : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

} // namespace triaxis::kernels
