/* The kernels as one CUDA source, for nvcc and for clang. */
#include "seqplan_kernels.h"
