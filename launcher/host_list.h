#pragma once

#include <string>

namespace triaxis
{

/// Ranks that a host gets when `ranks` are spread over the hosts of an Open MPI hostfile ("name
/// slots=N", # comments): the largest number of slots, or an even share where none are given.
/// Throws Error if the file cannot be read or names no host.
int ranksPerHost(const std::string& hostfile, int ranks);

} // namespace triaxis
