# Jacquard. "make help" lists the targets.
#
# Needs make and Go; a C compiler and a newer Go are fetched when missing (.ci/cc, .ci/go).

GO := $(CURDIR)/.ci/go
export GOAMD64 ?= v1
export CGO_ENABLED := 1

.DEFAULT_GOAL := all
.PHONY: all lib tool demo test race matrix mutants check bench performance exhaustive oracle conformance fused generate fuzz soak clients browser sdk crosscheck clean help cc FORCE

all: lib tool ## build/lib/libcuda.so.1 and build/bin/jacquard

tool: build/bin/jacquard

build/bin/jacquard: FORCE | cc
	$(GO) build -o $@ ./cmd/jacquard

cc:
	@.ci/cc

include libcuda/lib.mk

demo: all ## compile a CUDA program with the system compiler and run it on the simulator
	mkdir -p build/demo
	cp testdata/demo/vectoradd.cubin build/demo/
	$${CC:-cc} -O2 -Wall -Ilibcuda/include testdata/demo/vectoradd.c -o build/demo/vectoradd -Lbuild/lib -lcuda
	LD_LIBRARY_PATH=build/lib build/demo/vectoradd
	build/bin/jacquard exec -- build/demo/vectoradd

# Whatever runs kernels is tested under every setting of the vector instructions that this processor has: the linker
# makes it the default of all tests, and JACQUARD_SIMD of the programs that they start. (The tests of package
# lane always take them all.) Workers are as many as Go is told that there are processors, which may be more than there are.
under = $(unset) JACQUARD_MATRIX=$(1) JACQUARD_SIMD=$(1) $(GO) test -exec "env GOMAXPROCS=$(2)" -ldflags "-X jacquard/simt/lane.preferred=$(1)" -count=1 -timeout 60m

# Tests set the knobs that they want: those of the user's environment do not reach them.
unset := env $(patsubst %,--unset=%,$(filter-out JACQUARD_SIMD JACQUARD_CHROMIUM,$(filter JACQUARD_%,$(.VARIABLES))))

test: all ## run every test, those of the engine again in portable code with 7 workers, and some under the race detector
	$(unset) $(GO) test -timeout 15m ./...
	$(call under,off,7) ./simt ./simt/schedule ./simt/engine/... ./simt/trace ./libcuda/driver
	$(racing)

# What goroutines share: helpers of launches, threads of the driver, writers of files. "make matrix RACE=-race" runs everything.
racing = $(unset) $(GO) test -race -count=1 -timeout 15m -run 'Pool|Helpers|Copy|Worker|Convoys|Thread|UnderUse|Interrupt|SharedFile|Order|^TestRun$$' ./simt ./simt/schedule ./simt/trace ./libcuda/driver ./cmd/oracle

race: cc ## the tests of what goroutines share, under the race detector
	$(racing)

# On two cores all that takes about 20 minutes, and some hours under the race detector: RACE=-race MATRIX="./simt/... ./libcuda/driver" is
# what it is good for.
MATRIX := ./simt/... ./libcuda/... ./cmd/...
SIMD := off avx2 avx512
WORKERS := 1 2 7

matrix: all ## the tests of what runs kernels, under every SIMD setting and with 1, 2 and 7 workers; SIMD="off avx2" WORKERS=2 MATRIX=./simt: some. RACE=-race: under the race detector
	set -e; for simd in $(SIMD); do for workers in $(WORKERS); do echo "$$simd, $$workers workers"; $(call under,$$simd,$$workers) $(RACE) $(MATRIX); done; done

check: cc ## everything that must hold before the tests run
	$(GO) run ./cmd/check format imports
	$(GO) vet ./...
	$(GO) tool -modfile=.ci/tools.mod staticcheck ./...
	GOARCH=386 CGO_ENABLED=0 $(GO) build -o /dev/null ./cmd/jacquard
	$(GO) mod tidy -diff
	$(GO) run ./cmd/check generated

bench: ## time kernels, classes of instructions, every operation on 32 lanes, launches and copies from C and from Go, for benchstat; "jacquard bench" makes tables
	$(GO) test -run '^$$' -bench . -benchtime 50ms ./simt/bench ./libcuda ./libcuda/driver ./simt/lane ./fpu ./sfu

performance: tool ## measure carefully and put the tables in docs/performance.md
	build/bin/jacquard bench --long --markdown > build/performance.md
	sed -i -e '/^<!-- figures -->$$/,/^<!-- end -->$$/{//!d;}' -e '/^<!-- figures -->$$/r build/performance.md' docs/performance.md

exhaustive: cc ## prove the arithmetic for all inputs, and that every text leads back to its words; goes on where it was interrupted. ONLY=digest: special functions; JACQUARD_SIMD=off: portable code
	$(GO) build -buildvcs=false -o build/bin/exhaustive ./cmd/exhaustive
	build/bin/exhaustive $(ONLY)
	$(if $(ONLY),,$(GO) test -count=1 -timeout 60m -run 'Vectors|Random' ./decoder/asm -exhaustive)

oracle: cc ## hold every divergence policy against each lane run alone, on 10,000 random kernels. ORACLE="-n 100 -first 5000"
	$(GO) run ./cmd/oracle $(ORACLE)

conformance: cc ## hold the engine against the reference engine: CONFORMANCE kernels of each kind under each policy
	$(GO) test -count=1 -timeout 0 -run '^TestConformance$$' ./simt/engine/interp -conformance $(CONFORMANCE)

CONFORMANCE := 50

fused: cc ## the arithmetic's tests again, compiled for processors with fused multiply-add
	GOAMD64=v3 $(GO) test ./fpu ./sfu ./simt/lane ./cmd/jacquard/internal/verify

generate: cc ## rewrite the generated files
	$(GO) generate ./...

fuzz: cc ## a short run of every fuzz target
	$(GO) run ./cmd/check fuzz

soak: cc ## long runs: threads, signals for a minute each, Go clients for ten, 100,000 changed files of each format, peaks of memory
	$(GO) test -count=1 -timeout 60m -v -run '^TestSoak$$' ./libcuda -soak 1000
	$(GO) test -count=1 -timeout 120m -v -run '^TestSignals$$' ./libcuda -soak-seconds 60
	$(GO) test -count=1 -timeout 60m -v -run '^TestGoClients$$' ./libcuda -soak-seconds 600
	$(GO) test -count=1 -timeout 60m -v -run '^TestMutations$$' ./simt/trace ./simt/stats ./libcuda/bundle -mutations 100000
	$(GO) test -count=1 -v -run '^TestPeakMemory$$' ./libcuda/driver -soak

mutants: all ## plant small faults at random and count how many the tests find. MUTANTS="-n 60 -seed 7 -packages ./simt/..."
	$(GO) run ./cmd/mutants $(MUTANTS)

clients: lib ## run numba's driver tests, ffmpeg and BOINC on the library
	@.ci/clients

browser: cc ## open the report's page in Chromium: pictures in build/report
	@.ci/browser

sdk: lib ## run NVIDIA's SDK 4.2 programs that you have: SDK=DIR CUDART=DIR, PROGRAMS=... for some
	$(GO) run ./cmd/sdkrun -sdk "$(SDK)" -cudart "$(CUDART)" $(PROGRAMS)

AGAINST ?= $(shell PATH="$$PATH:/sbin" ldconfig -p | sed -n '/x86-64/s/.*libcuda\.so\.1 .*=> //p' | head -n 1)

crosscheck: demo ## run the demo and our kernels here and on the machine's own driver, in PTX where it takes no other code. AGAINST=PATH: another libcuda.so.1
	build/bin/jacquard crosscheck --against "$(AGAINST)" --ptx testdata/ptx -- build/demo/vectoradd
	$(GO) test -count=1 -v -run '^TestCrosscheckAgainst$$' ./libcuda -against "$(abspath $(AGAINST))"

clean: ## remove what make built
	rm -rf build

help: ## list the targets
	@sed -n 's/^\([a-z0-9]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12
