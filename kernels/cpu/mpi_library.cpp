#include "kernels/communicator.h"
#include "kernels/cpu/mpi_check.h"

#include <mpi.h>

#include <array>

namespace triaxis::kernels
{

std::string mpiLibrary()
{
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING + 1> text{};
    int length = 0;
    mpi::check(MPI_Get_library_version(text.data(), &length), "asking for the version of MPI");
    std::string version(text.data(), static_cast<std::size_t>(length));
    version = version.substr(0, version.find_first_of(",\n"));
    if (const auto v = version.find(" v"); v != std::string::npos)
        version.erase(v + 1, 1);
    return version;
}

} // namespace triaxis::kernels
