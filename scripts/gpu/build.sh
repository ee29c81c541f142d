#!/usr/bin/env bash
# Builds the kit for a machine with an NVIDIA GPU: what is needed there to test and to
# measure, so that nothing has to be installed but the driver. Needs Go and this
# repository; docs/gpu.md says how to use the kit.
#
# Usage: build.sh [OUT]
# Writes the directory OUT/seqplan-gpu-kit-linux-ARCH and the same as .tar.gz; OUT is
# _build/gpu-kit by default. ARCH is GOARCH, amd64 or arm64, by default that of this
# machine.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "${1:-$root/_build/gpu-kit}"
out=$(cd "${1:-$root/_build/gpu-kit}" && pwd)
cd "$root"

arch=${GOARCH:-$(go env GOHOSTARCH)}
case $arch in
amd64 | arm64) ;;
*)
	echo "build.sh: GOARCH is $arch, want amd64 or arm64" >&2
	exit 2
	;;
esac
name=seqplan-gpu-kit-linux-$arch
kit=$out/$name
rm -rf "$kit" "$kit.tar.gz"
mkdir -p "$kit/bin" "$kit/ptx" "$kit/sequences" "$kit/src/probe"

export CGO_ENABLED=0
GOOS=linux GOARCH=$arch go build -trimpath -o "$kit/bin/seqplan" ./cmd/seqplan
GOOS=linux GOARCH=$arch go test -c -trimpath -o "$kit/bin/cuda.test" ./kernels/cuda

cp sequences/hlt1/velo.yaml sequences/hlt1/reco.yaml "$kit/sequences/"
cp kernels/csrc/seqplan.ptx kernels/csrc/probe/seqplan_probe.ptx "$kit/ptx/"
cp kernels/csrc/*.h kernels/csrc/*.cu "$kit/src/"
cp kernels/csrc/probe/*.h "$kit/src/probe/"
cp scripts/gpu/check/* "$kit/src/"
# With the command of this machine, whatever the kit is for.
env -u GOOS -u GOARCH go run ./cmd/seqplan gen -lang c -o "$kit/src/velo_seqplan.h" sequences/hlt1/velo.yaml
cp scripts/gpu/run.sh "$kit/run.sh"
cp docs/gpu.md "$kit/README.md"
chmod +x "$kit/run.sh"

# What the kit was built from, for the report.
{
	commit=$(git rev-parse HEAD 2>/dev/null) || commit=unknown
	[ -z "$(git status --porcelain 2>/dev/null)" ] || commit="$commit with changes"
	echo "commit $commit, $(go env GOVERSION), linux/$arch"
} >"$kit/VERSION"

tar -C "$out" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -cf - "$name" | gzip -9n >"$kit.tar.gz"
echo "$kit.tar.gz"
