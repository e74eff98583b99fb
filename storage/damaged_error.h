#pragma once

#include "engine/core/error.h"

namespace triaxis
{

/// The history's file is no database, or a broken one: it can be set aside and rebuilt from the run
/// directories.
class DamagedError : public Error
{
public:
    explicit DamagedError(std::string object)
        : Error("cannot use the history", std::move(object),
                "it is rebuilt from the run directories")
    {
    }
};

} // namespace triaxis
