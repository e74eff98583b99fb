#include "engine/core/json_fields.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace triaxis
{
namespace
{

std::string kindOf(const nlohmann::json& value)
{
    switch (value.type()) {
    case nlohmann::json::value_t::null:
        return "null";
    case nlohmann::json::value_t::object:
        return "an object";
    case nlohmann::json::value_t::array:
        return "an array";
    case nlohmann::json::value_t::string:
        return "a text";
    case nlohmann::json::value_t::boolean:
        return "true or false";
    case nlohmann::json::value_t::number_integer:
    case nlohmann::json::value_t::number_unsigned:
    case nlohmann::json::value_t::number_float:
        return "a number";
    case nlohmann::json::value_t::binary:
    case nlohmann::json::value_t::discarded:
        break;
    }
    return "nothing readable";
}

std::string shown(double value)
{
    std::ostringstream out;
    out.precision(12);
    out << value;
    return out.str();
}

/// A whole number that fits 64 bits, also when it is written as 8.0 or 1e3.
std::optional<std::int64_t> wholeNumber(const nlohmann::json& value)
{
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        if (number > std::uint64_t(std::numeric_limits<std::int64_t>::max()))
            return {};
        return std::int64_t(number);
    }
    if (value.is_number_integer())
        return value.get<std::int64_t>();
    if (value.is_number_float()) {
        const double number = value.get<double>();
        if (std::nearbyint(number) == number && std::fabs(number) <= 0x1p53)
            return std::int64_t(number);
    }
    return {};
}

} // namespace

JsonFields::JsonFields(const nlohmann::json& object, std::string tried, std::string source,
                       std::string where)
    : m_object(object), m_tried(std::move(tried)), m_source(std::move(source)),
      m_where(std::move(where))
{
    if (!m_object.is_object())
        throw Error(m_tried,
                    (m_source.empty() ? "" : m_source + ": ") +
                        (m_where.empty() ? "the content" : m_where) + " is " + kindOf(m_object) +
                        " instead of an object",
                    "correct the file");
}

std::string JsonFields::path(const std::string& key) const
{
    return m_where.empty() ? key : m_where + "." + key;
}

void JsonFields::refuse(const std::string& key, const std::string& detail,
                        const std::string& remedy) const
{
    throw Error(m_tried, (m_source.empty() ? "" : m_source + ": ") + path(key) + " " + detail,
                remedy.empty() ? "correct this field" : remedy);
}

bool JsonFields::has(const std::string& key) const
{
    const auto found = m_object.find(key);
    return found != m_object.end() && !found->is_null();
}

const nlohmann::json& JsonFields::value(const std::string& key) const
{
    const auto found = m_object.find(key);
    if (found == m_object.end())
        refuse(key, "is missing", "add this field");
    return *found;
}

std::int64_t JsonFields::integer(const std::string& key, std::int64_t least, std::int64_t most,
                                 std::optional<std::int64_t> otherwise) const
{
    if (otherwise && !has(key))
        return *otherwise;
    const nlohmann::json& json = value(key);
    if (!json.is_number())
        refuse(key, "is " + kindOf(json) + " instead of a whole number");
    const std::optional<std::int64_t> number = wholeNumber(json);
    if (!number)
        refuse(key, "is " + json.dump() + ", no whole number that fits");
    if (*number < least || *number > most)
        refuse(key, "is " + std::to_string(*number) + ", not between " + std::to_string(least) +
                        " and " + std::to_string(most));
    return *number;
}

int JsonFields::smallInteger(const std::string& key, int least, int most,
                             std::optional<int> otherwise) const
{
    return int(integer(key, least, most, otherwise));
}

std::uint64_t JsonFields::bits(const std::string& key, std::optional<std::uint64_t> otherwise) const
{
    if (otherwise && !has(key))
        return *otherwise;
    const nlohmann::json& json = value(key);
    if (json.is_number_unsigned())
        return json.get<std::uint64_t>();
    return std::uint64_t(integer(key, 0, std::numeric_limits<std::int64_t>::max()));
}

double JsonFields::real(const std::string& key, double least, double most,
                        std::optional<double> otherwise) const
{
    if (otherwise && !has(key))
        return *otherwise;
    const nlohmann::json& json = value(key);
    if (!json.is_number())
        refuse(key, "is " + kindOf(json) + " instead of a number");
    const double number = json.get<double>();
    if (!(number >= least && number <= most))
        refuse(key,
               "is " + shown(number) + ", not between " + shown(least) + " and " + shown(most));
    return number;
}

bool JsonFields::boolean(const std::string& key, std::optional<bool> otherwise) const
{
    if (otherwise && !has(key))
        return *otherwise;
    const nlohmann::json& json = value(key);
    if (!json.is_boolean())
        refuse(key, "is " + kindOf(json) + " instead of true or false");
    return json.get<bool>();
}

std::string JsonFields::text(const std::string& key, std::optional<std::string> otherwise) const
{
    if (otherwise && !has(key))
        return *otherwise;
    const nlohmann::json& json = value(key);
    if (!json.is_string())
        refuse(key, "is " + kindOf(json) + " instead of a text");
    return json.get<std::string>();
}

void JsonFields::refuseOthers(std::initializer_list<const char*> known) const
{
    for (const auto& [key, value] : m_object.items()) {
        if (std::find(known.begin(), known.end(), key) != known.end())
            continue;
        std::string names;
        for (const char* name : known)
            names += (names.empty() ? "" : ", ") + std::string(name);
        refuse(key, "is not known here", "use " + names);
    }
}

JsonFields JsonFields::object(const std::string& key) const
{
    return JsonFields(value(key), m_tried, m_source, path(key));
}

const nlohmann::json& JsonFields::array(const std::string& key) const
{
    const nlohmann::json& json = value(key);
    if (!json.is_array())
        refuse(key, "is " + kindOf(json) + " instead of an array");
    return json;
}

nlohmann::json parseJson(const std::string& text, const std::string& tried,
                         const std::string& source)
{
    try {
        return nlohmann::json::parse(text);
    } catch (const nlohmann::json::parse_error& fault) {
        const auto end = text.begin() + std::ptrdiff_t(std::min(fault.byte, text.size()));
        const auto line = 1 + std::count(text.begin(), end, '\n');
        throw Error(tried, source + ": line " + std::to_string(line) + " is no JSON",
                    text.empty() ? "the file is empty" : "give a complete JSON file");
    } catch (const nlohmann::json::exception& fault) {
        throw Error(tried, source + ": " + fault.what(), "correct the file");
    }
}

} // namespace triaxis
