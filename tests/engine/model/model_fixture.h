#pragma once

#include "engine/model/model.h"

/// Small models for tests; the sizes are chosen so that no two dimensions are equal by accident.
inline triaxis::ModelSpec smallGpt2()
{
    triaxis::ModelSpec model;
    model.name = "small-gpt2";
    model.architecture = triaxis::Architecture::Gpt2;
    model.vocabulary = 509;
    model.positions = 24;
    model.hidden = 48;
    model.layers = 3;
    model.heads = 8;
    model.kvHeads = 8;
    model.headSize = 6;
    model.feedForward = 160;
    model.attentionBias = true;
    model.mlpBias = true;
    return model;
}

inline triaxis::ModelSpec smallLlama()
{
    triaxis::ModelSpec model;
    model.name = "small-llama";
    model.architecture = triaxis::Architecture::Llama;
    model.vocabulary = 331;
    model.positions = 32;
    model.hidden = 40;
    model.layers = 2;
    model.heads = 8;
    model.kvHeads = 2;
    model.headSize = 6;
    model.feedForward = 56;
    model.tiedHead = false;
    return model;
}
