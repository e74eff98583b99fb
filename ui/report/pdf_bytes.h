#pragma once

#include <QByteArray>

#include <string>

namespace triaxis::ui
{

/// While it lives, containers that Qt makes on any thread keep one and the same order: fonts come
/// into a PDF in the order of a hash.
class SteadyHashes
{
public:
    SteadyHashes();
    ~SteadyHashes();
    SteadyHashes(const SteadyHashes&) = delete;
    SteadyHashes& operator=(const SteadyHashes&) = delete;
};

/// Sets the date that a PDF says it was made to `utc` (ISO 8601; now where it is none), in place:
/// nothing else moves.
void setCreationDate(QByteArray& pdf, const std::string& utc);

} // namespace triaxis::ui
