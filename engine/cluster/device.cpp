#include "engine/cluster/device.h"

#include "engine/cluster/device_json.h"
#include "engine/cluster/printed_name.h"
#include "engine/core/embedded_text.h"

#include <algorithm>

namespace triaxis
{
namespace
{

std::vector<std::string> printedNames(const JsonFields& fields)
{
    std::vector<std::string> names{fields.text("name")};
    for (const nlohmann::json& name : fields.array("printed"))
        names.push_back(name.get<std::string>());
    return names;
}

struct DeviceList
{
    std::vector<DeviceSpec> devices;
    std::vector<std::vector<PrintedName>> printed; ///< words of each device's names
};

DeviceList readDevices()
{
    const std::string tried = "cannot read the built-in devices";
    const nlohmann::json file =
        parseJson(std::string(embeddedText("devices")), tried, "devices.json");
    DeviceList list;
    for (const nlohmann::json& entry : JsonFields(file, tried, "devices.json").array("devices")) {
        const std::string where = "devices[" + std::to_string(list.devices.size()) + "]";
        const JsonFields fields(entry, tried, "devices.json", where);
        list.devices.push_back(deviceFromFields(fields));
        list.printed.emplace_back();
        for (const std::string& name : printedNames(fields))
            list.printed.back().push_back(printedName(name));
    }
    return list;
}

const DeviceList& deviceList()
{
    static const DeviceList list = readDevices();
    return list;
}

/// Words of the longest name of a device that the printed text contains.
std::size_t matchedWords(const std::vector<PrintedName>& names, const PrintedName& printed)
{
    std::size_t most = 0;
    for (const PrintedName& name : names)
        if (containsWords(printed, name))
            most = std::max(most, name.size());
    return most;
}

[[noreturn]] void refuseDevice(const std::string& name)
{
    std::string known;
    for (const DeviceSpec& device : devicePresets())
        known += (known.empty() ? "" : ", ") + device.name;
    throw Error("cannot find the device", '"' + name + "\" is not known", "use one of " + known);
}

constexpr const char* formatNames[numberFormats] = {"fp32", "tf32", "fp16", "bf16", "fp8", "fp4"};

} // namespace

const char* toText(NumberFormat format)
{
    return formatNames[std::size_t(format)];
}

NumberFormat parseNumberFormat(const std::string& text)
{
    for (std::size_t i = 0; i < numberFormats; ++i)
        if (text == formatNames[i])
            return NumberFormat(i);
    throw Error("cannot use the number format", '"' + text + "\" is not known",
                "use fp32, tf32, fp16, bf16, fp8 or fp4");
}

double DeviceSpec::peakOf(NumberFormat format) const
{
    const auto rate = [this](NumberFormat wanted) { return peak[std::size_t(wanted)]; };
    const double fp32 = rate(NumberFormat::Fp32);
    const double tf32 = rate(NumberFormat::Tf32) > 0 ? rate(NumberFormat::Tf32) : fp32;
    const double half = std::max(rate(NumberFormat::Fp16), rate(NumberFormat::Bf16));
    double found = 0;
    switch (format) {
    case NumberFormat::Fp32:
        found = fp32;
        break;
    case NumberFormat::Tf32:
        found = tf32;
        break;
    case NumberFormat::Fp16:
    case NumberFormat::Bf16:
        found = rate(format) > 0 ? rate(format) : tf32;
        break;
    case NumberFormat::Fp8:
    case NumberFormat::Fp4:
        found = rate(format);
        if (!(found > 0))
            found = rate(NumberFormat::Fp8) > 0 ? rate(NumberFormat::Fp8) : half;
        break;
    }
    if (found > 0)
        return found;
    // Units for narrow formats only: wide products are run on them in what passes they take.
    double slowest = 0;
    for (const double known : peak)
        if (known > 0 && (slowest == 0 || known < slowest))
            slowest = known;
    return slowest > 0 ? slowest : 1;
}

const std::vector<DeviceSpec>& devicePresets()
{
    return deviceList().devices;
}

const DeviceSpec& devicePreset(const std::string& name)
{
    const DeviceList& list = deviceList();
    for (const DeviceSpec& device : list.devices)
        if (device.name == name)
            return device;
    const PrintedName printed = printedName(name);
    std::size_t best = 0;
    std::size_t bestWords = 0;
    for (std::size_t i = 0; i < list.devices.size(); ++i) {
        const std::size_t words = matchedWords(list.printed[i], printed);
        if (words > bestWords) {
            best = i;
            bestWords = words;
        }
    }
    if (bestWords == 0)
        refuseDevice(name);
    return list.devices[best];
}

} // namespace triaxis
