#pragma once

#include "engine/cluster/device.h"
#include "engine/core/json_fields.h"

namespace triaxis
{

/// One entry of resources/devices.json. Throws Error that names the field.
DeviceSpec deviceFromFields(const JsonFields& fields);
/// Throws Error that names the field: no peak, rates or sizes that are not positive and finite.
void checkDevice(const DeviceSpec& device);

} // namespace triaxis
