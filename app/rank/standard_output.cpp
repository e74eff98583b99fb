#include "app/rank/standard_output.h"

#include "engine/core/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace triaxis::rank
{

std::unique_ptr<std::FILE, int (*)(std::FILE*)> takeStandardOutput()
{
    const int own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    std::FILE* stream = own < 0 ? nullptr : fdopen(own, "w");
    if (!stream || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        throw Error("cannot keep standard output", std::strerror(errno));
    return {stream, &std::fclose};
}

} // namespace triaxis::rank
