#!/bin/sh
# Builds the PTX from the CUDA sources, without the CUDA SDK. Writes it to the
# directory that the argument names, an absolute path, or to that of this script. Its bytes depend on
# the sources and on the version of the compiler alone.
set -eu
cd "$(dirname "$0")"
out=${1:-.}
compile() { # source name
	clang-19 -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 --cuda-feature=+ptx63 \
		-nocudainc -nocudalib -fms-extensions -std=c++17 -O2 -Wall -Wextra -Werror \
		-I. -include nosdk/cuda_stub.h -S "$1" -o "$out/$2.new"
	# Comments name the compiler.
	sed -e 's,[[:space:]]*//.*$,,' -e '/^$/d' "$out/$2.new" >"$out/$2.tmp"
	mv "$out/$2.tmp" "$out/$2"
	rm "$out/$2.new"
}
mkdir -p "$out/probe"
compile seqplan_cuda.cu seqplan.ptx
compile probe/seqplan_probe.cu probe/seqplan_probe.ptx
