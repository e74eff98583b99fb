#include "engine/formats/safetensors.h"

#include "engine/core/error.h"
#include "engine/core/json_fields.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_map>
#include <utility>

namespace triaxis
{
namespace
{

constexpr const char* tried = "cannot read the weights";
constexpr std::int64_t lengthBytes = 8;
/// The limit of the format's reference implementation.
constexpr std::int64_t longestHeader = 100'000'000;

static_assert(std::endian::native == std::endian::little, "safetensors files are read in place");

/// Bytes of one element; 0 for a type that is not known.
std::int64_t elementBytes(const std::string& dtype)
{
    static constexpr std::array<std::pair<std::string_view, std::int64_t>, 15> types{
        {{"F64", 8},
         {"F32", 4},
         {"F16", 2},
         {"BF16", 2},
         {"I64", 8},
         {"I32", 4},
         {"I16", 2},
         {"I8", 1},
         {"U64", 8},
         {"U32", 4},
         {"U16", 2},
         {"U8", 1},
         {"BOOL", 1},
         {"F8_E4M3", 1},
         {"F8_E5M2", 1}}};
    for (const auto& [name, bytes] : types) {
        if (name == dtype)
            return bytes;
    }
    return 0;
}

[[noreturn]] void refuse(const std::string& path, const std::string& detail)
{
    throw Error(tried, path + ": " + detail, "get a complete safetensors file");
}

/// The name without the prefixes that wrappers of the same model put before it.
std::string_view bareName(std::string_view name)
{
    static constexpr std::array<std::string_view, 4> prefixes{"transformer.", "model.", "module.",
                                                              "_orig_mod."};
    for (bool again = true; again;) {
        again = false;
        for (const std::string_view prefix : prefixes) {
            if (name.size() > prefix.size() && name.substr(0, prefix.size()) == prefix) {
                name.remove_prefix(prefix.size());
                again = true;
            }
        }
    }
    return name;
}

/// IEEE half precision; subnormals, infinities and NaN included.
float fromHalf(std::uint16_t half)
{
    const std::uint32_t sign = std::uint32_t(half & 0x8000u) << 16;
    const std::uint32_t exponent = (half >> 10) & 0x1fu, mantissa = half & 0x3ffu;
    if (exponent == 0) {
        const float magnitude = float(mantissa) * 0x1.0p-24f;
        return sign ? -magnitude : magnitude;
    }
    const std::uint32_t wide = exponent == 0x1f ? 0xffu : exponent + 112;
    return std::bit_cast<float>(sign | (wide << 23) | (mantissa << 13));
}

float fromBfloat(std::uint16_t value)
{
    return std::bit_cast<float>(std::uint32_t(value) << 16);
}

/// Elements may lie unaligned in the file, so each is copied out.
template <class Stored, class Convert>
void convert(const std::byte* from, std::int64_t count, float* out, Convert toFloat)
{
    for (std::int64_t i = 0; i < count; ++i) {
        Stored stored;
        std::memcpy(&stored, from + i * std::int64_t(sizeof(Stored)), sizeof(Stored));
        out[i] = toFloat(stored);
    }
}

class Descriptor
{
public:
    explicit Descriptor(int descriptor) : m_descriptor(descriptor) {}
    ~Descriptor()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return m_descriptor; }

private:
    int m_descriptor;
};

std::int64_t elementCount(const TensorInfo& tensor, const std::string& path)
{
    // No tensor of a file has more elements than this, so that the byte count cannot overflow.
    constexpr std::int64_t most = std::int64_t(1) << 58;
    std::int64_t count = 1;
    for (const std::int64_t size : tensor.shape) {
        if (size > 0 && count > most / size)
            refuse(path, "tensor " + tensor.name + " has an impossible shape");
        count *= size;
    }
    return count;
}

TensorInfo readEntry(const std::string& name, const nlohmann::json& entry, const std::string& path)
{
    constexpr std::int64_t most = std::int64_t(1) << 62;
    const JsonFields fields(entry, tried, path, "tensor " + name);
    TensorInfo tensor;
    tensor.name = name;
    tensor.dtype = fields.text("dtype");
    if (elementBytes(tensor.dtype) == 0)
        fields.refuse("dtype", "is \"" + tensor.dtype + "\", which is not known",
                      "convert the file to F32");
    for (const nlohmann::json& size : fields.array("shape")) {
        if (!size.is_number_integer() || size < 0 || size > most)
            fields.refuse("shape", "holds " + size.dump() + ", no size");
        tensor.shape.push_back(size.get<std::int64_t>());
    }
    const nlohmann::json& offsets = fields.array("data_offsets");
    if (offsets.size() != 2)
        fields.refuse("data_offsets",
                      "has " + std::to_string(offsets.size()) + " entries instead of 2");
    for (const nlohmann::json& offset : offsets) {
        if (!offset.is_number_integer() || offset < 0 || offset > most)
            fields.refuse("data_offsets", "holds " + offset.dump() + ", no offset");
    }
    tensor.begin = offsets[0].get<std::int64_t>();
    tensor.end = offsets[1].get<std::int64_t>();
    return tensor;
}

void checkEntry(const TensorInfo& tensor, std::int64_t dataBytes, const std::string& path)
{
    if (tensor.end < tensor.begin || tensor.end > dataBytes)
        refuse(path, "tensor " + tensor.name + " lies at bytes " + std::to_string(tensor.begin) +
                         " to " + std::to_string(tensor.end) + " of " + std::to_string(dataBytes) +
                         " bytes of data: the file is cut short or its header is wrong");
    const std::int64_t bytes = elementCount(tensor, path) * elementBytes(tensor.dtype);
    if (bytes != tensor.end - tensor.begin)
        refuse(path, "tensor " + tensor.name + " has " + std::to_string(tensor.end - tensor.begin) +
                         " bytes, and its shape and type need " + std::to_string(bytes));
}

void checkOverlaps(std::vector<TensorInfo> tensors, const std::string& path)
{
    std::erase_if(tensors, [](const TensorInfo& tensor) { return tensor.begin == tensor.end; });
    std::sort(tensors.begin(), tensors.end(),
              [](const TensorInfo& a, const TensorInfo& b) { return a.begin < b.begin; });
    for (std::size_t i = 1; i < tensors.size(); ++i) {
        if (tensors[i].begin < tensors[i - 1].end)
            refuse(path, "tensors " + tensors[i - 1].name + " and " + tensors[i].name + " overlap");
    }
}

} // namespace

struct SafetensorsFile::Impl
{
    std::string path;
    void* mapping = nullptr;
    std::int64_t size = 0;
    std::int64_t dataStart = 0;
    std::vector<TensorInfo> tensors;
    std::unordered_map<std::string, std::size_t> byName;
    std::unordered_map<std::string, std::size_t> byBareName;

    ~Impl()
    {
        if (mapping)
            ::munmap(mapping, std::size_t(size));
    }

    const std::byte* bytes() const { return static_cast<const std::byte*>(mapping); }

    void map();
    void readHeader();
};

void SafetensorsFile::Impl::map()
{
    // Without O_NONBLOCK the opening of a pipe would wait for a writer.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status;
    if (file.get() < 0 || ::fstat(file.get(), &status) != 0)
        throw Error(tried, path + ": " + std::strerror(errno),
                    "check the path and its permissions");
    if (!S_ISREG(status.st_mode))
        throw Error(tried, path + " is no regular file", "give the path of a safetensors file");
    size = status.st_size;
    if (size < lengthBytes)
        refuse(path, "has only " + std::to_string(size) + " bytes");
    void* mapped = ::mmap(nullptr, std::size_t(size), PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (mapped == MAP_FAILED)
        throw Error(tried, path + ": " + std::strerror(errno), "free some memory");
    mapping = mapped;
}

void SafetensorsFile::Impl::readHeader()
{
    std::uint64_t length = 0;
    std::memcpy(&length, mapping, sizeof length);
    if (length > std::uint64_t(longestHeader) || std::int64_t(length) > size - lengthBytes)
        refuse(path, "its header claims " + std::to_string(length) + " bytes, and the file has " +
                         std::to_string(size));
    dataStart = lengthBytes + std::int64_t(length);
    const std::string text(reinterpret_cast<const char*>(bytes() + lengthBytes),
                           std::size_t(length));
    const nlohmann::json header = parseJson(text, tried, path + ": the header");
    const JsonFields checked(header, tried, path);
    for (const auto& [name, entry] : header.items()) {
        if (name == "__metadata__")
            continue;
        tensors.push_back(readEntry(name, entry, path));
        checkEntry(tensors.back(), size - dataStart, path);
    }
    checkOverlaps(tensors, path);
    std::sort(tensors.begin(), tensors.end(),
              [](const TensorInfo& a, const TensorInfo& b) { return a.begin < b.begin; });
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        byName.emplace(tensors[i].name, i);
        byBareName.emplace(std::string(bareName(tensors[i].name)), i);
    }
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path)
    : m_impl(std::make_unique<Impl>())
{
    m_impl->path = path.string();
    m_impl->map();
    m_impl->readHeader();
}

SafetensorsFile::~SafetensorsFile() = default;
SafetensorsFile::SafetensorsFile(SafetensorsFile&&) noexcept = default;

const std::vector<TensorInfo>& SafetensorsFile::tensors() const
{
    return m_impl->tensors;
}

const TensorInfo* SafetensorsFile::find(const std::string& canonicalName) const
{
    if (const auto exact = m_impl->byName.find(canonicalName); exact != m_impl->byName.end())
        return &m_impl->tensors[exact->second];
    const auto bare = m_impl->byBareName.find(std::string(bareName(canonicalName)));
    return bare == m_impl->byBareName.end() ? nullptr : &m_impl->tensors[bare->second];
}

void SafetensorsFile::read(const TensorInfo& tensor, std::int64_t first, std::int64_t count,
                           float* out) const
{
    const std::int64_t bytes = elementBytes(tensor.dtype);
    const std::int64_t elements = bytes == 0 ? 0 : (tensor.end - tensor.begin) / bytes;
    if (first < 0 || count < 0 || first > elements || count > elements - first)
        refuse(m_impl->path, "tensor " + tensor.name + " has " + std::to_string(elements) +
                                 " elements, and " + std::to_string(count) + " from " +
                                 std::to_string(first) + " on are wanted");
    if (count == 0)
        return;
    const std::byte* from = m_impl->bytes() + m_impl->dataStart + tensor.begin + first * bytes;
    if (tensor.dtype == "F32")
        std::memcpy(out, from, std::size_t(count) * sizeof(float));
    else if (tensor.dtype == "F64")
        convert<double>(from, count, out, [](double value) { return float(value); });
    else if (tensor.dtype == "F16")
        convert<std::uint16_t>(from, count, out, fromHalf);
    else if (tensor.dtype == "BF16")
        convert<std::uint16_t>(from, count, out, fromBfloat);
    else
        throw Error(tried,
                    m_impl->path + ": tensor " + tensor.name + " has the type " + tensor.dtype,
                    "convert the file to F32, F64, F16 or BF16");
}

} // namespace triaxis
