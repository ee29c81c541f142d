// Package gpu owns the kit for a machine with an NVIDIA GPU: build.sh builds it, run.sh
// is its one command there, and check is a CUDA program for nvcc. docs/gpu.md says how
// they are used. The package has tests alone: they build the kit and run it without a
// GPU, and on a fake driver and a fake CUDA runtime, so that a table that says "ok" means
// that something ran.
package gpu
