/* The kernels for tests as one CUDA source. */
#include "seqplan_probe.h"
