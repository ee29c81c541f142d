# The two commands of the quick start are `make run` and `make test`.
GO      ?= go
BIN     := bin
SEQPLAN := $(BIN)/seqplan
VELO    := sequences/hlt1/velo.yaml
TOOL    := $(GO) tool -modfile=tools/go.mod

.PHONY: all build static run test race fuzz bench lint generate ptx stale gpu-kit clean

all: build

build:
	$(GO) build -o $(SEQPLAN) ./cmd/seqplan

# The command for containers that only plan and generate: one static file, with the
# host back end alone.
static:
	CGO_ENABLED=0 $(GO) build -tags seqplan_nodevice -o $(BIN)/seqplan-static ./cmd/seqplan

# Plans, generates and plays the VELO example for 100 batches.
run: build
	$(SEQPLAN) plan $(VELO)
	@mkdir -p _build
	$(SEQPLAN) gen -lang go -package velo -o _build/velo_seqplan.go $(VELO)
	$(SEQPLAN) gen -lang c -o _build/velo_seqplan.h $(VELO)
	$(SEQPLAN) run -batches 100 $(VELO)

test:
	$(GO) test ./...

# Without the tests whose work is in compiled kernels, which the detector cannot see;
# they run under sanitizers of their own in `make test`.
race:
	$(GO) test -race -skip '^(TestReco|TestDifferential|TestMutants|TestFewMarks|TestMutations|TestThreads|TestSanitizers)$$' \
	  ./kernels/... ./staticpool/... ./dynpool/... ./internal/play/... ./internal/bench/... ./internal/hostsize/... ./internal/tally/... ./internal/trace/...
	$(GO) test -race -run '^(TestTarget|TestCancel|TestKeepsWhatIsKnown|TestGoal)$$' ./planner/pack/internal/hunt ./planner/pack/internal/skyline

# Runs every fuzz target for FUZZTIME each; their seeds run in `make test`.
FUZZTIME ?= 30s
fuzz:
	@for pkg in $$($(GO) list ./...); do \
	  for f in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
	    $(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$pkg || exit 1; \
	  done; \
	done

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./planner/ ./staticpool/ ./dynpool/... ./kernels/... ./internal/trace/

lint:
	$(GO) vet ./...
	$(TOOL) staticcheck ./...
	@out=$$($(TOOL) gofumpt -l .); test -z "$$out" || { echo "not gofumpt-formatted:"; echo "$$out"; exit 1; }

# Rewrites every checked-in generated file; `stale` fails if that changes one.
generate:
	$(GO) generate ./...

stale: generate
	git diff --exit-code

# Rebuilds the PTX with clang-19; a test compares it with what is checked in.
ptx:
	kernels/csrc/build-ptx.sh

# Builds what a machine with a GPU needs to test and measure: see docs/gpu.md.
gpu-kit:
	scripts/gpu/build.sh

clean:
	rm -rf $(BIN) _build
