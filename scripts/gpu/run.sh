#!/usr/bin/env bash
# Tests and measures seqplan on the first NVIDIA GPU of this machine, and writes a table:
# result.md, with the output of each part beside it. Needs bash, the usual small tools
# and the driver. nvcc, ptxas, compute-sanitizer and nvidia-smi are used where they are
# found, also in CUDA_HOME/bin. README.md says what each row means.
#
# Usage: run.sh [-quick] [-o DIR] [PART...]
#   -quick  less of everything, for a first look; its figures mean little
#   -o DIR  where to write to (default: results)
#   PART    run these parts alone
# Every part has a time limit; SEQPLAN_KIT_LIMIT is a percentage of it (default 100).
# NVCC_FLAGS (default -arch=native) and PTXAS_ARCH (default sm_90) choose the GPU to
# compile for.
#
# Exit status: 0 if the device suite ran and nothing that ran failed, else 1; 2 usage.
set -uo pipefail
kit=$(cd "$(dirname "$0")" && pwd)

usage() {
	sed -n '/^# Usage/,/^# Exit/s/^# \{0,1\}//p' "$0"
	exit "$1"
}

quick=
out=results
only=()
while [ $# -gt 0 ]; do
	case $1 in
	-quick) quick=1 ;;
	-o)
		[ $# -ge 2 ] || usage 2 >&2
		out=$2
		shift
		;;
	-h | --help) usage 0 ;;
	-*) usage 2 >&2 ;;
	*) only+=("$1") ;;
	esac
	shift
done
mkdir -p "$out/logs" || exit 2
out=$(cd "$out" && pwd) || exit 2
rm -rf "${out:?}/logs" "$out/result.md" "$out/build"
mkdir -p "$out/logs" "$out/build" || exit 2
cd "$kit" || exit 2

PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin
# A test that finds no GPU must fail here, not skip.
export SEQPLAN_REQUIRE_GPU=1

# The table. A part is run, or it is not; nothing else ends in a row.

names=() results=() figures=() seconds=()
failed=0 suite=

row() { # part result figures seconds
	names+=("$1") results+=("$2") figures+=("$3") seconds+=("$4")
	printf '%-28s %s\n' "$1" "$2"
}

chosen() { # part
	local p
	[ ${#only[@]} -gt 0 ] || return 0
	for p in "${only[@]}"; do
		[ "$p" != "$1" ] || return 0
	done
	return 1
}

# part NAME LIMIT CHECK COMMAND...: runs a part in at most LIMIT seconds. It is ok if the
# command exits with 0 and the function CHECK finds in its output, the file $log, that it
# did what it was for; what CHECK prints are its figures, or what is missing.
part() {
	local name=$1 limit=$2 check=$3 percent=${SEQPLAN_KIT_LIMIT:-100} log=$out/logs/$1.log status start=$SECONDS found
	shift 3
	chosen "$name" || {
		row "$name" "not run: not chosen" "" ""
		return 1
	}
	{
		printf '$'
		printf ' %q' "$@"
		echo
	} >"$log"
	limit=$((limit * percent / 100))
	timeout -k 10 $((limit > 0 ? limit : 1)) "$@" >>"$log" 2>&1 </dev/null
	status=$?
	if [ $status -eq 124 ] || [ $status -eq 137 ]; then
		found="stopped after $((SECONDS - start)) s"
	elif [ $status -ne 0 ]; then
		found="exit status $status: $(grep -m 1 'FAILED\|[Ee]rror\|panic\|no CUDA device' "$log" || tail -n 1 "$log")"
		found=${found:0:300}
	elif found=$("$check" "$log"); then
		row "$name" ok "$found" $((SECONDS - start))
		return 0
	fi
	failed=1
	row "$name" FAILED "$found" $((SECONDS - start))
	return 1
}

# skip NAME WHY: a part that cannot run.
skip() {
	chosen "$1" || {
		row "$1" "not run: not chosen" "" ""
		return
	}
	row "$1" "not run: $2" "" ""
}

# The checks of outputs.

# joined joins the lines of its input.
joined() {
	local line all=
	while read -r line; do all+=${all:+; }$line; done
	printf %s "$all"
}

done_is_enough() { :; }

# go_tests: every test of the list $want has passed, and nothing was skipped.
go_tests() {
	local t
	for t in $want; do
		grep -q -- "^--- PASS: $t " "$1" || {
			echo "$t did not pass"
			return 1
		}
	done
	if grep -q -- '--- SKIP' "$1"; then
		echo "$(grep -c -- '--- SKIP' "$1") skipped"
		return 1
	fi
	echo "$(grep -c -- '--- PASS' "$1") tests passed"
}

# benchmarks: every one of the list $want has a line.
benchmarks() {
	local b
	for b in $want; do
		grep -q "^$b" "$1" || {
			echo "$b did not run"
			return 1
		}
	done
	grep -q '^PASS$' "$1" || {
		echo "no PASS"
		return 1
	}
	sed -n 's/^Benchmark\(GPU[^[:space:]]*\)[[:space:]]*[0-9]*[[:space:]]*\(.*\)$/\1: \2/p' "$1" |
		sed 's/-[0-9]*:/:/; s/[[:space:]][[:space:]]*/ /g' | joined
}

# played: the output of seqplan run, which checks itself.
played() {
	if ! grep -q '^device *cuda: ' "$1" || ! grep -q ', 0 failed$' "$1"; then
		echo "it did not run on cuda"
		return 1
	fi
	sed -n 's/^\(batches\|events\|checks\|high-water\)  */\1 /p' "$1" | joined
}

# compared: the output of seqplan bench.
compared() {
	grep -q '^device *cuda: ' "$1" || {
		echo "it did not run on cuda"
		return 1
	}
	sed -n 's/^  \(time, median\|synchronizations\)  *\([^ ]*\( ms\)\{0,1\}\)  *\([^ ]*\( ms\)\{0,1\}\)\(.*\)$/\1: readback \2, planned \4\6/p' "$1" |
		sed 's/  */ /g' | joined
}

# checked: the program check has said so.
checked() {
	grep -q '^all checks passed$' "$1" || {
		echo "it did not say that all checks passed"
		return 1
	}
	sed -n 's/^figure: //p' "$1" | joined
}

# sanitized: the program said that it passed, and the sanitizer that it found nothing.
sanitized() {
	grep -q '^\(PASS\|all checks passed\)$' "$1" || {
		echo "the program did not say that it passed"
		return 1
	}
	grep -q 'SUMMARY: 0 \(errors\|hazards\)' "$1" || {
		grep 'SUMMARY' "$1" || echo "no summary of the sanitizer"
		return 1
	}
	grep -o '[A-Z]* SUMMARY: 0 .*' "$1" | tail -n 1
}

# answered: there is a line of output.
answered() { sed -n 2p "$1" | grep . || { echo "no output" && false; }; }

# assembled: the output of ptxas -v.
assembled() { grep -o 'Used [0-9]* registers' "$1" | sort -u | joined; }

# The machine.

have() { command -v "$1" >/dev/null 2>&1; }

scale() { if [ -n "$quick" ]; then echo "$1"; else echo "$2"; fi; } # quick full

devices=$(timeout -k 10 120 bin/seqplan version -devices 2>&1)
if grep -q '^  cuda:0  ' <<<"$devices"; then
	gpu=$(sed -n 's/^  cuda:0  *//p' <<<"$devices")
else
	gpu=
fi
nogpu="no GPU"
echo "$devices" >"$out/logs/devices.log"

if have nvidia-smi; then
	part nvidia-smi 60 answered \
		nvidia-smi --query-gpu=name,compute_cap,driver_version,memory.total,clocks.max.sm,clocks.max.mem --format=csv,noheader
else
	skip nvidia-smi "no nvidia-smi"
fi

# The device suite is tried in any case: without a GPU it fails, and says why.
short=()
[ -z "$quick" ] || short=(-test.short)
want=TestConformance
if part suite 900 go_tests bin/cuda.test "${short[@]}" -test.v -test.timeout 0 -test.run '^TestConformance$'; then
	suite=1
fi

# tests NAME LIMIT TESTS: other tests of the back end.
tests() {
	want=$3
	if [ -z "$gpu" ]; then
		skip "$1" "$nogpu"
		return
	fi
	part "$1" "$2" go_tests bin/cuda.test "${short[@]}" -test.v -test.timeout 0 -test.run "^(${3// /|})\$"
}
tests differential 1200 TestGPUDifferential
tests contention 600 TestGPUContention
tests graph 600 TestGPUGraph
tests pool 600 TestGPUPool
tests shadow-reco 900 TestGPUReco

for s in velo reco; do
	if [ -z "$gpu" ]; then
		skip "run-$s" "$nogpu"
	else
		part "run-$s" 900 played bin/seqplan run "sequences/$s.yaml" -device cuda:0 -batches 20 -events "$(scale 20 1000)"
	fi
done

# What needs the CUDA toolkit.

# nvcc builds for the GPU of this machine, unless NVCC_FLAGS say otherwise.
read -r -a nvcc_flags <<<"${NVCC_FLAGS:--arch=native}"

if have ptxas; then
	for p in seqplan seqplan_probe; do
		part "ptxas-$p" 300 assembled ptxas -v -arch="${PTXAS_ARCH:-sm_90}" "ptx/$p.ptx" -o "$out/build/$p.cubin"
	done
else
	skip ptxas-seqplan "no ptxas"
	skip ptxas-seqplan_probe "no ptxas"
fi

check=
if have nvcc; then
	nvcc=(nvcc "${nvcc_flags[@]}" -std=c++17 -O2 -Isrc)
	part nvcc-kernels 600 done_is_enough "${nvcc[@]}" -c src/seqplan_cuda.cu -o "$out/build/kernels.o"
	nocheck="part nvcc-check has not built it"
	if part nvcc-check 900 done_is_enough "${nvcc[@]}" -o "$out/build/check" \
		src/seqplan_cuda.cu src/check.cu src/check_alloc.cu src/check_host.cc; then
		check=$out/build/check
		nocheck=
	fi
else
	skip nvcc-kernels "no nvcc"
	skip nvcc-check "no nvcc"
	nocheck="no nvcc"
fi
[ -n "$gpu" ] || nocheck=${nocheck:-$nogpu}
quickly=()
[ -z "$quick" ] || quickly=(-quick)

if [ -n "$check" ] && [ -z "$nocheck" ]; then
	part check 900 checked "$check" "${quickly[@]}"
else
	skip check "$nocheck"
fi

for tool in memcheck racecheck synccheck; do
	leaks=()
	[ $tool != memcheck ] || leaks=(--leak-check full)
	sanitizer=(compute-sanitizer --tool "$tool" --error-exitcode 99)
	if ! have compute-sanitizer; then
		skip "$tool-check" "no compute-sanitizer"
		skip "$tool-suite" "no compute-sanitizer"
		continue
	fi
	if [ -n "$check" ] && [ -z "$nocheck" ]; then
		part "$tool-check" 1800 sanitized "${sanitizer[@]}" "${leaks[@]}" "$check" -quick
	else
		skip "$tool-check" "$nocheck"
	fi
	if [ -z "$gpu" ]; then
		skip "$tool-suite" "$nogpu"
		continue
	fi
	# A part of the suite; what makes calls of the driver fail on purpose is not in it.
	part "$tool-suite" 1800 sanitized "${sanitizer[@]}" --report-api-errors no bin/cuda.test -test.short -test.v -test.timeout 0 \
		-test.run '^(TestConformance|TestGPUContention|TestGPUGraph)$/^(Fill|Check|CheckSums|Values|Slots|Program|Reuse|Marks|Lists)$'
done

# The figures.

for s in velo reco; do
	for work in none touch full; do
		if [ -z "$gpu" ]; then
			skip "bench-$s-$work" "$nogpu"
		else
			part "bench-$s-$work" 900 compared bin/seqplan bench "sequences/$s.yaml" -device cuda:0 -work "$work" \
				-batches "$(scale 3 50)" -events "$(scale 20 1000)"
		fi
	done
done

for b in Launch Graph Device Pool; do
	want=BenchmarkGPU$b
	name=bench-$(tr '[:upper:]' '[:lower:]' <<<"$b")
	if [ -z "$gpu" ]; then
		skip "$name" "$nogpu"
	else
		part "$name" 600 benchmarks bin/cuda.test "${short[@]}" -test.timeout 0 -test.run '^$' -test.bench "^BenchmarkGPU$b\$" \
			-test.benchtime "$(scale 3x 1s)"
	fi
done

# A name that no part has is a mistake.
for p in "${only[@]}"; do
	printf '%s\n' "${names[@]}" | grep -qxF -- "$p" || {
		echo "run.sh: there is no part $p" >&2
		failed=1
	}
done

{
	echo "# seqplan on a GPU"
	echo
	echo "$(cat VERSION)$([ -z "$quick" ] || echo '; **quick: the figures mean little**')"
	echo
	if [ -n "$gpu" ]; then echo "Device: $gpu"; else echo "Device: none. $(grep '^  cuda ' <<<"$devices")"; fi
	echo
	echo "| part | result | seconds | figures, or what is wrong |"
	echo "|---|---|---|---|"
	for i in "${!names[@]}"; do
		text=${figures[i]//|/\\|}
		printf '| %s | %s | %s | %s |\n' "${names[i]}" "${results[i]}" "${seconds[i]}" "${text//$'\n'/ }"
	done
	echo
	if [ "$failed" = 0 ] && [ -n "$suite" ]; then
		echo "Nothing that ran has failed."
	elif [ -z "$suite" ]; then
		echo "**The device suite has not passed, so this is no result.**"
	else
		echo "**Something has failed.**"
	fi
} >"$out/result.md"
echo
echo "$out/result.md"
[ "$failed" = 0 ] && [ -n "$suite" ]
