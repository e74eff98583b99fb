#include "launcher/environment.h"

#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace triaxis
{

std::optional<std::string> variable(const char* name)
{
    const char* value = std::getenv(name);
    return value && *value ? std::optional<std::string>(value) : std::nullopt;
}

Environment Environment::ofThisProcess()
{
    Environment environment;
    for (char** entry = environ; entry && *entry; ++entry)
        if (const char* equals = std::strchr(*entry, '='))
            environment.m_variables[std::string(static_cast<const char*>(*entry), equals)] = equals + 1;
    return environment;
}

std::vector<std::string> Environment::list() const
{
    std::vector<std::string> entries;
    for (const auto& [name, value] : m_variables)
        entries.push_back(name + "=" + value);
    return entries;
}

} // namespace triaxis
