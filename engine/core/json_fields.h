#pragma once

#include "engine/core/error.h"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace triaxis
{

/// Reads the members of one JSON object with their types and ranges checked. Every finding is an
/// Error that names the field by its path ("layout.tp"). Members that nobody asks for are left
/// alone.
class JsonFields
{
public:
    /// tried: what the reading is for: "cannot read the run plan". where: the object's own path;
    /// empty for the top. source: the file, for the message; may be empty.
    JsonFields(const nlohmann::json& object, std::string tried, std::string source = {},
               std::string where = {});

    bool contains(const std::string& key) const { return m_object.contains(key); }
    /// Present and not null.
    bool has(const std::string& key) const;
    const nlohmann::json& value(const std::string& key) const; ///< throws if absent

    /// Each takes a default for an absent (or null) member; without one an absent member is an
    /// Error.
    std::int64_t integer(const std::string& key, std::int64_t least, std::int64_t most,
                         std::optional<std::int64_t> otherwise = {}) const;
    int smallInteger(const std::string& key, int least, int most,
                     std::optional<int> otherwise = {}) const;
    std::uint64_t bits(const std::string& key, std::optional<std::uint64_t> otherwise = {}) const;
    /// Finite, within [least, most].
    double real(const std::string& key, double least, double most,
                std::optional<double> otherwise = {}) const;
    bool boolean(const std::string& key, std::optional<bool> otherwise = {}) const;
    std::string text(const std::string& key, std::optional<std::string> otherwise = {}) const;
    JsonFields object(const std::string& key) const;
    /// An array; throws if absent or something else.
    const nlohmann::json& array(const std::string& key) const;

    /// Throws for a member that is none of the known ones, for files that people write.
    void refuseOthers(std::initializer_list<const char*> known) const;
    [[noreturn]] void refuse(const std::string& key, const std::string& detail,
                             const std::string& remedy = {}) const;

private:
    std::string path(const std::string& key) const;

    const nlohmann::json& m_object;
    std::string m_tried;
    std::string m_source;
    std::string m_where;
};

/// Parses text as JSON. Throws Error with the line of the first fault. `source`: the file, for the
/// message.
nlohmann::json parseJson(const std::string& text, const std::string& tried,
                         const std::string& source);

} // namespace triaxis
