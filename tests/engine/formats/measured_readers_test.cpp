// Readers of published tables, on invented rows in each table's format.

#include <QtTest>

#include "engine/core/error.h"
#include "engine/cost/validation.h"

#include <cmath>
#include <set>

namespace
{

using namespace triaxis;

struct Fixture
{
    const char* name;
    const char* format;
    const char* text;
    int priced;
    int skipped;
};

const Fixture fixtures[] = {
    {"torchtitan", "torchtitan",
     "table,model,gpus,gpu,parallelism,seq_len,local_batch,global_batch,activation_checkpointing,"
     "techniques,tokens_per_s_per_gpu,memory_gib,source\n"
     "A,Llama3.1-8B,16,H100-96GB 500W,FSDP16,8192 (default),2,32,selective,FSDP+compile,6000,60,x\n"
     "A,Llama3-70B,64,H100-96GB 500W,FSDP8 TP8,,4,,full,float8 rowwise async TP,700,,x\n"
     "A,Llama3.1-8B,8,H200,FSDP4 CP2,16384,1,,none,compile,5000,50,x\n"
     "A,Llama3.1-8B,12,H200,FSDP8 TP8,,1,,full,compile,5000,50,x\n"
     "A,Llama9-8B,8,H200,FSDP8,,1,,full,compile,5000,50,x\n"
     "A,Llama3.1-8B,8,H200,FSDP8,8192,2,99,full,compile,5000,50,x\n",
     3, 3},
    {"internevo", "internevo",
     "table,model,gpus,config,seq_len,micro_bsz,micro_num,activation_ckpt,gbs_tokens,tgs,"
     "tflops_per_gpu,gpu_memory_gb,gpu,source\n"
     "throughput,7B,16,tp=2 zero1=4,2048,2,4,False,,3600,,,A100-80GB 4x100Gb RoCE,x\n"
     "memory,20B,16,zero1=-1 tp=1 pp=4 fsdp=False,,1,4,True,,,,60,A800,x\n"
     "memory,7B,6,zero1=-1 tp=4 pp=1 fsdp=False,,1,4,True,,,,60,A800,x\n",
     2, 1},
    {"maxtext", "maxtext",
     "model,hardware,tflops_per_chip,mfu_pct,source\n"
     "64B,1x v5p-128,300,65,x\n"
     "22B,4x v4-128,150,55,x\n"
     "Llama2-7B,2x A3,400,,x\n"
     "7777B,1x v5p-128,300,65,x\n"
     "64B,some v5p,300,65,x\n",
     3, 2},
    {"simumax", "simumax-real",
     "case,tp,pp,cp,ep,dp,layers,seq_len,microbatches,gpu,real_ms,simumax_ms,simumax_err,"
     "real_alloc_gib,simumax_alloc_gib,alloc_err,source\n"
     "llama3_70b_l8_tp4_pp1_dp2_mbc4,4,1,1,,2,8,4096,4,B200-SXM x8,300,,,30,,,x\n"
     "deepseekv3_l4_tp1_ep8_pp1_dp8_mbc4,1,1,1,8,8,4,4096,4,B200-SXM x8,600,,,100,,,x\n"
     "llama3_70b_l8_tp4_pp1_dp2_mbc4,4,1,1,,2,8,4096,4,Z9000,300,,,30,,,x\n",
     2, 1},
    {"primus", "primus",
     "gpu,model,precision,mbs,seq_len,fsdp,tp,pp,vpp,cp,ep,gpus,one_node_tok_s_gpu,"
     "measured_tok_s_gpu,primus_projected_tok_s_gpu,primus_err_pct,source\n"
     "MI300X,Llama3.1-70B,BF16,2,8192,Yes,1,1,1,1,1,32,,900,,,x\n"
     "MI355X,Mixtral-8x22B,BF16,2,8192,,1,4,2,1,8,64,,3000,,,x\n",
     1, 1},
    {"deepseek", "deepseek-step",
     "metric,MPFT,MRFT,gpus,source\n"
     "time_per_step_s,20,20.1,2048 H800,x\n"
     "bubble_s,2,2,2048 H800,x\n",
     1, 1},
    {"totals", "deepseek-totals",
     "metric,value,source\n"
     "H800 GPU hours on 14T tokens,2.5M,x\n"
     "H800 GPU hours full training,2.7M,x\n",
     1, 1},
    {"long", "nvidia-nemo-long",
     "container,system,model,precision,gpus,seq_len_k,gbs,mbs,tp,pp,cp,vp,dp,ga,"
     "tokens_per_s_per_gpu,model_tflops_per_gpu,raw,source\n"
     "NeMo24.03,DGX-H100,LLAMA2-7B,FP8,16,16,64,1,2,1,1,1,8,,9000,600,x,x\n"
     "NeMo24.03,DGX-H100,LLAMA2-7B,FP8,16,99999999,64,1,2,1,1,1,8,,9000,600,x,x\n",
     1, 1},
    {"cp", "nvidia-context-parallel",
     "title,seq_len_k,gpus,batch,tflops_per_gpu_without_cp,tp,pp,dp,cp,tflops_per_gpu_with_cp,"
     "speedup,source\n"
     "LLAMA3-8B (FP8) - B200,64,64,64,1400,1,1,4,4,1500,1.07,x\n"
     "no title,64,64,64,1400,1,1,4,4,1500,1.07,x\n",
     1, 1},
    {"launcher", "nvidia-launcher",
     "model,gpus,tokens_per_s,gpu,source\n"
     "GPT 5B,16,80000,A100-80GB,x\n"
     "GPT 175B,256,30000,A100-80GB,x\n"
     "GPT 175B,100,30000,A100-80GB,x\n",
     2, 1},
    {"vocabulary", "vocabulary-parallel",
     "schedule,method,pp_gpus,tp,dp,seq_len,vocab,mbs,microbatches,model,layers,heads,hidden,"
     "mfu_pct,peak_memory_gb_max_rank,oom,source\n"
     "1F1B,Baseline,8,1,1,2048,65536,1,64,4B,32,24,3072,40,16,,x\n"
     "1F1B,Redis,8,1,1,2048,65536,1,64,4B,32,24,3072,44,16,,x\n"
     "1F1B,Vocab-1,8,1,1,2048,65536,1,64,4B,32,24,3072,50,16,,x\n"
     "V-Half,Vocab-2,8,1,1,2048,65536,1,64,4B,32,24,3072,50,12,,x\n"
     "1F1B,Magic,8,1,1,2048,65536,1,64,4B,32,24,3072,50,16,,x\n"
     "1F1B,Interlaced,8,1,1,2048,65536,1,64,4B,32,24,3072,,,1,x\n",
     4, 2},
};

const PricedCase& only(const Validation& table, const std::string& part)
{
    for (const PricedCase& priced : table.priced) {
        if (priced.run.label.find(part) != std::string::npos)
            return priced;
    }
    throw std::runtime_error("no run " + part);
}

Validation pricedFixture(const std::string& name)
{
    for (const Fixture& fixture : fixtures) {
        if (name == fixture.name)
            return validate(parseMeasuredTable(fixture.text, fixture.name));
    }
    throw std::runtime_error("no fixture " + name);
}

} // namespace

class MeasuredReadersTest : public QObject
{
    Q_OBJECT

private slots:
    void everyRowIsPricedOrListed_data()
    {
        QTest::addColumn<int>("index");
        for (int index = 0; index < int(std::size(fixtures)); ++index)
            QTest::newRow(fixtures[index].name) << index;
    }

    void everyRowIsPricedOrListed()
    {
        QFETCH(int, index);
        const Fixture& fixture = fixtures[index];
        const Validation table = validate(parseMeasuredTable(fixture.text, fixture.name));
        QCOMPARE(table.table.format, std::string(fixture.format));
        std::string reasons;
        for (const UnpricedRow& row : table.unpriced) {
            QVERIFY(!row.reason.empty());
            reasons += row.label + ": " + row.reason + "; ";
        }
        QVERIFY2(table.rows == fixture.priced, reasons.c_str());
        QCOMPARE(table.skipped, fixture.skipped);
        for (const PricedCase& priced : table.priced) {
            QVERIFY(!priced.run.assumptions.empty());
            for (const PricedTarget& target : priced.targets)
                QVERIFY(target.predicted > 0);
        }
    }

    void torchtitanAxesAreRead()
    {
        const Validation table = pricedFixture("torchtitan");
        const MeasuredCase& run = only(table, "Llama3-70B").run;
        QCOMPARE(run.plan.tp, 8);
        QCOMPARE(run.plan.dp, 8);
        QCOMPARE(run.plan.zero, ZeroStage::Parameters);
        QCOMPARE(int(run.job.globalBatch), 32);
        QCOMPARE(run.job.sequence, 8192);
        QCOMPARE(run.job.precision, NumberFormat::Fp8);
        QCOMPARE(only(table, "CP2").run.plan.cp, 2);
        QCOMPARE(only(table, "CP2").run.plan.recompute, Recompute::None);
    }

    void internEvoShardsOptimizerStateOverAGroup()
    {
        const Validation table = pricedFixture("internevo");
        const MeasuredCase& run = only(table, "zero1=4").run;
        QCOMPARE(run.plan.zero, ZeroStage::Optimizer);
        QCOMPARE(run.plan.dp, 8);
        QCOMPARE(run.plan.shardGroup, 4);
        QCOMPARE(int(run.job.globalBatch), 2 * 4 * 8);
    }

    void tpuNamesCountCores()
    {
        const Validation table = pricedFixture("maxtext");
        QCOMPARE(only(table, "64B").run.job.devices, 64);
        QCOMPARE(only(table, "22B").run.job.devices, 256);
        QCOMPARE(only(table, "22B").run.plan.shardGroup, 64);
        QCOMPARE(only(table, "A3").run.job.devices, 16);
    }

    void splitVocabulariesCostLessThanWholeOnes()
    {
        const Validation table = pricedFixture("vocabulary");
        const double whole = only(table, "Baseline").estimate->seconds;
        const double moved = only(table, "Redis").estimate->seconds;
        const double split = only(table, "1F1B Vocab-1").estimate->seconds;
        QVERIFY(moved < whole);
        QVERIFY(split < moved);
        QCOMPARE(only(table, "V-Half Vocab-2").run.plan.vocabularyBarriers, 1);
    }

    void aSplitVocabularyKeepsAllParametersAndBalancesMemory()
    {
        const Validation table = pricedFixture("vocabulary");
        const MeasuredCase& whole = only(table, "Baseline").run;
        const MeasuredCase& split = only(table, "1F1B Vocab-1").run;
        double wholeWeights = 0, splitWeights = 0;
        const auto before = memoryByStage(whole.job, whole.plan);
        const auto after = memoryByStage(split.job, split.plan);
        for (std::size_t stage = 0; stage < before.size(); ++stage) {
            wholeWeights += before[stage].weights;
            splitWeights += after[stage].weights;
        }
        QVERIFY(std::abs(splitWeights / wholeWeights - 1) < 1e-3);
        QVERIFY(after.back().logits < before.back().logits);
    }

    void absurdNumbersAreRefusedRowByRow()
    {
        const std::string header = "table,model,gpus,config,seq_len,micro_bsz,micro_num,"
                                   "activation_ckpt,gbs_tokens,tgs,tflops_per_gpu,gpu_memory_gb,"
                                   "gpu,source\n";
        const std::string rows =
            "t,7B,100000000,tp=1,2048,100000000,100000000,False,,3600,,,A100,x\n"
            "t,7B,8,tp=0,2048,1,1,False,,3600,,,A100,x\n"
            "t,7B,8,tp=-1,2048,1,1,False,,3600,,,A100,x\n"
            "t,7B,8,tp=99999999999999999999,2048,1,1,False,,3600,,,A100,x\n"
            "t,7B,8,tp=1,2048,1,1,False,,nan,,,A100,x\n"
            "t,7B,8,tp=1,2048,1,1,False,,1e300,,,A100,x\n"
            "t,7B,8,tp=1\n";
        const Validation table = validate(parseMeasuredTable(header + rows, "odd"));
        QCOMPARE(table.rows + table.skipped, 7);
        QVERIFY(table.skipped >= 5);
    }

    void everySharedTrainingTableIsReadRowByRow()
    {
        const QByteArray shared = qgetenv("TRIAXIS_SHARED");
        const QDir folder(QString::fromLocal8Bit(shared) + "/published");
        if (shared.isEmpty() || !folder.exists())
            QSKIP("the shared tables are not here");
        for (const QString& name : folder.entryList({"*.csv"}, QDir::Files)) {
            if (name.startsWith("calib_") || name.startsWith("inference_") ||
                name.startsWith("hw_") || name.startsWith("pipeline_"))
                continue;
            const MeasuredTable table = readMeasuredTable(folder.filePath(name).toStdString());
            std::set<int> lines;
            for (const MeasuredCase& run : table.cases)
                lines.insert(run.line);
            for (const UnpricedRow& row : table.unpriced)
                lines.insert(row.line);
            QVERIFY2(int(lines.size()) == table.rows, qPrintable(name));
        }
    }
};

QTEST_APPLESS_MAIN(MeasuredReadersTest)
#include "measured_readers_test.moc"
