#pragma once

#include "kernels/communicator.h"

#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace triaxis::tests {

/// Collects what one rank found wrong in one case.
class Findings
{
public:
    void expect(bool truth, const std::string& what)
    {
        if (!truth)
            m_failures.push_back(what);
    }

    template <typename A, typename B>
    void expectEqual(const A& actual, const B& expected, const std::string& what)
    {
        if (actual == expected)
            return;
        std::ostringstream text;
        text.precision(17);
        text << what << ": " << actual << " instead of " << expected;
        m_failures.push_back(text.str());
    }

    const std::vector<std::string>& failures() const { return m_failures; }

private:
    std::vector<std::string> m_failures;
};

/// One case: every rank of the world runs it at the same time.
struct Case
{
    const char* name;
    int ranks; ///< it needs at least so many
    void (*run)(kernels::World&, Findings&);
};

std::vector<Case> worldCases();
std::vector<Case> pointToPointCases();
std::vector<Case> allReduceCases();
std::vector<Case> timingCases();

/// All ranks of the world in one group, in order.
std::unique_ptr<kernels::Communicator> everyone(kernels::World& world);

/// A byte that depends on where it was sent, by whom, and its place.
unsigned char patternByte(int sender, int message, std::size_t index);
std::vector<unsigned char> pattern(int sender, int message, std::size_t bytes);

void sleepSeconds(double seconds);

} // namespace triaxis::tests
