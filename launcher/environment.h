#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace triaxis
{

/// A variable of this process; nothing if it is unset or empty.
std::optional<std::string> variable(const char* name);

/// The environment that a process is to be started with.
class Environment
{
public:
    static Environment ofThisProcess();

    void set(const std::string& name, const std::string& value) { m_variables[name] = value; }
    /// Only if it is not set yet.
    void setDefault(const std::string& name, const std::string& value)
    {
        m_variables.try_emplace(name, value);
    }
    bool has(const std::string& name) const { return m_variables.contains(name); }
    /// "NAME=value" each.
    std::vector<std::string> list() const;

private:
    std::map<std::string, std::string> m_variables;
};

} // namespace triaxis
