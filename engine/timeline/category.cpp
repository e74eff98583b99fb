#include "engine/timeline/lanes.h"

namespace triaxis
{

Category categoryOf(Kind kind)
{
    switch (kind) {
    case Kind::Forward:
        return Category::Forward;
    case Kind::Backward:
    case Kind::BackwardInput:
        return Category::Backward;
    case Kind::BackwardWeight:
        return Category::WeightGradient;
    case Kind::SendActivation:
    case Kind::ReceiveActivation:
    case Kind::SendGradient:
    case Kind::ReceiveGradient:
    case Kind::TiedReduce:
        return Category::Pipeline;
    case Kind::Wait:
        return Category::Wait;
    case Kind::GradientReduce:
    case Kind::NormReduce:
    case Kind::LossReduce:
        return Category::Data;
    case Kind::ReplicaReduce:
    case Kind::TensorCollective:
        return Category::Tensor;
    case Kind::OptimizerStep:
        return Category::Optimizer;
    }
    return Category::Idle;
}

const char* toText(Category category)
{
    switch (category) {
    case Category::Forward:
        return "forward";
    case Category::Backward:
        return "backward";
    case Category::WeightGradient:
        return "weight gradient";
    case Category::Tensor:
        return "tensor";
    case Category::Pipeline:
        return "pipeline";
    case Category::Data:
        return "data";
    case Category::Optimizer:
        return "optimizer";
    case Category::Wait:
        return "waiting";
    case Category::Idle:
        return "idle";
    }
    return "";
}

} // namespace triaxis
