#include "launcher/host_list.h"

#include "engine/core/error.h"
#include "engine/record/small_file.h"

#include <algorithm>
#include <sstream>

namespace triaxis
{
namespace
{

constexpr const char* tried = "cannot read the hostfile";
constexpr int largestSlots = 1 << 20;

int slotsOf(std::istringstream& fields)
{
    int slots = 0;
    for (std::string field; fields >> field;) {
        if (!field.starts_with("slots="))
            continue;
        const std::string number = field.substr(6);
        const bool digits = !number.empty() && number.size() < 8 &&
                            number.find_first_not_of("0123456789") == std::string::npos;
        slots = digits ? std::min(std::stoi(number), largestSlots) : 0;
    }
    return slots;
}

} // namespace

int ranksPerHost(const std::string& hostfile, int ranks)
{
    const auto text = readSmallFile(hostfile, 16 << 20);
    if (!text)
        throw Error(tried, hostfile + ": there is no such file",
                    "give a file with a line \"name slots=N\" for each host");
    int hosts = 0;
    int slots = 0;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line.substr(0, line.find('#')));
        std::string name;
        if (!(fields >> name))
            continue;
        ++hosts;
        slots = std::max(slots, slotsOf(fields));
    }
    if (hosts == 0)
        throw Error(tried, hostfile + ": it names no host",
                    "write a line \"name slots=N\" for each host");
    return std::min(ranks, slots > 0 ? slots : (ranks + hosts - 1) / hosts);
}

} // namespace triaxis
