#pragma once

#include "engine/formats/measured_row.h"

#include <span>

namespace triaxis
{

/// How tables of one family are recognised and read.
struct MeasuredFormat
{
    const char* name;
    std::vector<const char*> columns; ///< all of them must be there
    std::vector<MeasuredCase> (*read)(const MeasuredRow& row);
    std::vector<const char*> remarks; ///< known defects of the source
    const char* fileHint = "";        ///< part of the file name that decides between two that fit
};

// One function a family, each in a file of its own.
std::vector<MeasuredFormat> vtrainFormats();
std::vector<MeasuredFormat> megatronFormats();
std::vector<MeasuredFormat> megatronNamedFormats();
std::vector<MeasuredFormat> korthikantiFormats();
std::vector<MeasuredFormat> bloomFormats();
std::vector<MeasuredFormat> zeroBubbleFormats();
std::vector<MeasuredFormat> llamaFormats();
std::vector<MeasuredFormat> vocabularyFormats();
std::vector<MeasuredFormat> frameworkFormats();
std::vector<MeasuredFormat> nvidiaFormats();
std::vector<MeasuredFormat> torchtitanFormats();
std::vector<MeasuredFormat> internEvoFormats();
std::vector<MeasuredFormat> maxTextFormats();
std::vector<MeasuredFormat> simuMaxFormats();
std::vector<MeasuredFormat> primusFormats();
std::vector<MeasuredFormat> deepSeekFormats();

// ---- what the readers share

/// A case of this row with nothing but its line and label.
MeasuredCase caseOf(const MeasuredRow& row, std::string label);

/// GPT as Megatron builds it: MLP of 4 · hidden, learned positions, head tied, biases.
ModelShape gptShape(const std::string& name, int layers, int hidden, int heads, int vocabulary,
                    int sequence);

/// Vocabulary padded as Megatron does, to a multiple of 128 · tp; said in the assumptions of `run`.
int paddedVocabulary(MeasuredCase& run, int vocabulary, int tp);
/// The same for a table that does not state it: Megatron's 51,200.
int unstatedVocabulary(MeasuredCase& run, int tp);

void assume(MeasuredCase& run, std::string what);
void addTarget(MeasuredCase& run, Quantity quantity, const MeasuredRow& row, const char* column,
               double scale = 1, bool main = true);
void addFlops(MeasuredCase& run, const MeasuredRow& row, const char* column,
              FlopConvention convention, bool main = true);
void addMfu(MeasuredCase& run, const MeasuredRow& row, const char* column,
            FlopConvention convention, bool main = true);

/// Tensor, pipeline and data-parallel size and microbatch from the columns tp, pp, dp and mbs.
void readSizes(ParallelPlan& plan, const MeasuredRow& row);
/// dp from the device count, the other sizes being set; RowProblem where they do not divide it.
void fillDataParallel(MeasuredCase& run);
/// Batch size, devices and sequence as columns gbs, gpus and seq_len state them.
void readProblem(MeasuredCase& run, const MeasuredRow& row, int sequenceOtherwise = 0);

/// Of products, by a name as tables print it ("FP8", "MXFP8", "BF16"): bf16 where it names neither
/// 4 nor 8 bits.
NumberFormat printedFormat(const std::string& printed);

/// [stages] layers where the embedding and the head each take the place of one layer.
std::vector<int> endsLighterByOne(int layers, int stages);

} // namespace triaxis
