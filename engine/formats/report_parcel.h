#pragma once

#include "engine/formats/report_document.h"

#include <string>
#include <string_view>
#include <vector>

namespace triaxis
{

/// A report on its way to another program: all of it as bytes (CBOR), its pictures drawn for the
/// widths that will be asked for. What comes out draws each for the nearest of these.
std::string packReport(const ReportDocument& report, const std::vector<double>& widths);
/// Throws Error for anything that is no such parcel.
ReportDocument unpackReport(std::string_view parcel);

} // namespace triaxis
