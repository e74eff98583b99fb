#include "interpreter.h"

#include "execution.h"

namespace triaxis::tests
{

Outcome execute(const Program& program, std::uint64_t seed)
{
    try {
        interpreter::Execution(program, seed).run();
    } catch (const interpreter::Fault& fault) {
        return {false, fault.what()};
    }
    return {};
}

} // namespace triaxis::tests
