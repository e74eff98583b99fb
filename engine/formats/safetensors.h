#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace triaxis
{

struct TensorInfo
{
    std::string name;  ///< as in the file
    std::string dtype; ///< "F32", "F16", "BF16", "F64", …
    std::vector<std::int64_t> shape;
    std::int64_t begin = 0, end = 0; ///< bytes within the data section
};

/// A safetensors file, mapped into memory. Every header field is checked (length, JSON, offsets
/// within the file, no overlap, byte count = shape × type); throws Error saying which tensor and
/// why.
class SafetensorsFile
{
public:
    explicit SafetensorsFile(const std::filesystem::path& path);
    ~SafetensorsFile();
    SafetensorsFile(SafetensorsFile&&) noexcept;

    const std::vector<TensorInfo>& tensors() const;
    /// By canonical name: the name itself, or with "transformer." or "model."-style prefixes added
    /// or removed. Null if absent.
    const TensorInfo* find(const std::string& canonicalName) const;
    /// `count` elements from element `first`, converted to float32.
    void read(const TensorInfo& tensor, std::int64_t first, std::int64_t count, float* out) const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// Writes a safetensors file of float32 tensors piece by piece, so that a whole model never has to
/// fit in memory at once. The header is written first; the file appears under its name only when
/// finish() has succeeded. Throws Error on a full disk.
class SafetensorsWriter
{
public:
    SafetensorsWriter(
        const std::filesystem::path& path,
        const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& tensors);
    ~SafetensorsWriter();
    /// Elements [first, first + count) of a tensor.
    void write(const std::string& name, std::int64_t first, std::int64_t count,
               const float* values);
    void finish();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace triaxis
