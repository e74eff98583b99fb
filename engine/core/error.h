#pragma once

#include <stdexcept>
#include <string>

namespace triaxis
{

/// The one exception type of Triaxis. It says what was tried, on which object, and what to do about it.
/// It becomes text once, at the border: a dialog, one line on standard error, or the reason of a failed run.
class Error : public std::runtime_error
{
public:
    /// tried:  what failed, as a clause: "cannot read the model configuration"
    /// object: what it failed on: a path, a tensor, a rank; with the detail: "/a/config.json: line 3 is no JSON"
    /// remedy: what the person can do: "give a Hugging Face config.json"
    Error(std::string tried, std::string object, std::string remedy = {});

    const std::string& tried() const { return m_tried; }
    const std::string& object() const { return m_object; }
    const std::string& remedy() const { return m_remedy; }

private:
    std::string m_tried;
    std::string m_object;
    std::string m_remedy;
};

} // namespace triaxis
