#pragma once

#include "engine/cost/machine_calibration.h"

/// A made-up machine of two cores on which everything has a plain price: a product takes 1 ns for
/// each multiply-and-add, an operation 10 ns an element, attention 1 ns for each token, position
/// and width; a rank with both cores takes half of it, one beside another 20 % more. An all-reduce
/// takes 1 ns a byte, a message 0.5 ns.
triaxis::MachineCalibration madeUpMachine();
