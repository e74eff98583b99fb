#pragma once

#include "engine/core/error.h"

#include <QString>
#include <optional>
#include <string>

/// The Error that `action` throws; nothing if it throws none. Other exceptions pass, and fail the
/// test.
template <class Action>
std::optional<triaxis::Error> errorOf(Action&& action)
{
    try {
        action();
    } catch (const triaxis::Error& error) {
        return error;
    }
    return {};
}

/// The whole text of the Error that `action` throws; "no error" if it throws none.
template <class Action>
QString errorText(Action&& action)
{
    const std::optional<triaxis::Error> error = errorOf(action);
    return error ? QString::fromUtf8(error->what()) : QString("no error");
}
