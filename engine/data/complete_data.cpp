#include "engine/data/complete_data.h"

#include "engine/core/error.h"
#include "engine/data/token_source.h"

namespace triaxis
{

void completeData(RunPlan& plan)
{
    plan.data.bestLoss = makeTokenSource(plan)->bestLoss();
    if (plan.data.path.empty())
        return;
    const std::string hash = fileSha256(plan.data.path);
    if (!plan.data.sha256.empty() && plan.data.sha256 != hash)
        throw Error("cannot train on this data",
                    plan.data.path + " has changed since the plan was made: its SHA-256 is " +
                        hash + " and was " + plan.data.sha256,
                    "bring the old file back, or choose the file anew (--data) to train on what it "
                    "holds now");
    plan.data.sha256 = hash;
}

} // namespace triaxis
