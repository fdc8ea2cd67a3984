# Jacquard. "make help" lists the targets.
#
# Needs make and Go; a C compiler and a newer Go are fetched when missing (.ci/cc, .ci/go).

GO := $(CURDIR)/.ci/go
export GOAMD64 ?= v1
export CGO_ENABLED := 1

.DEFAULT_GOAL := all
.PHONY: all lib tool compiler demo demo-cuda test race nightly matrix mutants check bench performance exhaustive oracle conformance nets engines fused generate growth fuzz soak clients playground browser cluster clang sdk papers peers suites crosscheck clean help cc FORCE

all: lib tool ## build/lib/libcuda.so.1 and build/bin/jacquard

tool: build/bin/jacquard

build/bin/jacquard: FORCE | cc
	$(GO) build -o $@ ./cmd/jacquard

cc:
	@.ci/cc

# $(call insert,performance) puts build/performance.md between the marks of docs/performance.md.
insert = sed -i -e '/^<!-- figures -->$$/,/^<!-- end -->$$/{//!d;}' -e '/^<!-- figures -->$$/r build/$(1).md' docs/$(1).md

include libcuda/lib.mk
include libcuda/runtime/runtime.mk
include toolkit/toolkit.mk

demo: all ## compile a CUDA program with the system compiler and run it on the simulator
	mkdir -p build/demo
	cp testdata/demo/vectoradd.cubin build/demo/
	$${CC:-cc} -O2 -Wall -Ilibcuda/include testdata/demo/vectoradd.c -o build/demo/vectoradd -Lbuild/lib -lcuda
	LD_LIBRARY_PATH=build/lib build/demo/vectoradd
	build/bin/jacquard exec -- build/demo/vectoradd

demo-cuda: toolkit ## compile a CUDA C++ program from source, run it, and show how its lanes diverge
	mkdir -p build/demo
	build/toolkit/bin/nvcc -lineinfo -o build/demo/reduction testdata/cuda/reduction.cu
	build/bin/jacquard exec --stats build/demo/reduction.json -- build/demo/reduction
	build/bin/jacquard stats build/demo/reduction.json

# Tests that run kernels run under every setting of the vector instructions that this processor has.
# The linker makes the setting the default of all tests, JACQUARD_SIMD that of programs that tests
# start. With "off" the interpreter executes kernels. GOMAXPROCS sets the number of workers; it may
# exceed the number of processors.
under = $(unset) JACQUARD_MATRIX=$(1) JACQUARD_SIMD=$(1) $(GO) test -exec "env GOMAXPROCS=$(2)" -ldflags "-X jacquard/simt/engine/translate/host.preferred=$(1)" -count=1 -timeout 60m

# Tests set the knobs that they need, so knobs of the user's environment are removed.
unset := env $(patsubst %,--unset=%,$(filter-out JACQUARD_SIMD JACQUARD_CHROMIUM,$(filter JACQUARD_%,$(.VARIABLES))))

test: all ## run every test
	$(unset) $(GO) test -timeout 15m ./...

# Tests of goroutines that share memory: helpers of launches, threads of the driver, writers of
# files, workers that share code made at run time. "make matrix RACE=-race" runs all tests under the
# race detector.
racing = $(unset) $(GO) test -race -count=1 -timeout 15m -run 'Pool|Helpers|Copy|Worker|Thread|UnderUse|Interrupt|SharedFile|Order|^TestRun$$' ./simt ./simt/schedule ./observe/trace ./libcuda/driver ./cmd/prove/oracle
shared = $(unset) $(GO) test -race -count=1 -timeout 15m -run '^TestEngines$$' ./internal/test/kernels -sample 997

race: cc ## the tests of goroutines that share memory, under the race detector
	$(racing)
	$(shared)

# SEED chooses the random programs. Without SEED they are the day's.
SEED = $(shell date +%Y%m%d)
nightly: all race ## the heavy nets, on random programs of the day: SEED=20261128 repeats a day
	@echo "nightly $(SEED): the interpreter with 7 workers passes what the translator passes"
	$(call under,off,7) ./simt ./simt/schedule ./simt/engine/... ./observe/trace ./libcuda/driver
	@echo "nightly $(SEED): engines agree on random kernels under every policy"
	$(GO) test -count=1 -timeout 0 -run '^TestConformance$$' ./simt/engine/translate -conformance 3 -conformance-first $(SEED)0000
	@echo "nightly $(SEED): every policy gives what each lane gives alone"
	$(GO) run ./cmd/prove/oracle -n 1000 -first $(SEED)0000
	@echo "nightly $(SEED): programs from source are right: lanes that meet, locks, csmith's"
	$(GO) test -count=1 -timeout 0 ./internal/test/meeting -meetings 2000 -first $(SEED)0000
	$(GO) test -count=1 -timeout 0 ./internal/test/idioms -levels
	$(GO) test -count=1 -timeout 0 -v -run Programs ./internal/test/csmith -programs 80 -first $(SEED)0
	@echo "nightly $(SEED): checkers find a race and a value that nobody wrote (docs/check.md: one race in 5,000 is missed)"
	$(GO) test -count=1 -timeout 0 ./internal/test/planted -planted 1000 -planted-first $(SEED)0000
	@echo "nightly $(SEED): no file that others wrote brings the readers down"
	$(GO) run ./cmd/check fuzz
	$(GO) test -count=1 -timeout 60m -run '^TestMutations$$' ./observe/trace ./observe/stats ./observe/bundle -mutations 10000
	@echo "nightly $(SEED): tests find planted faults"
	$(GO) run ./cmd/prove/mutants -n 20 -seed $(SEED)

# All settings take about 20 minutes on two cores, and some hours under the race detector: use
# RACE=-race with MATRIX="./simt/... ./libcuda/driver". SIMD="off avx2" WORKERS=2 MATRIX=./simt runs
# a part.
MATRIX := ./simt/... ./libcuda/... ./cmd/... ./study/... ./board/... ./observe/... ./internal/test/...
SIMD := off avx2 avx512
WORKERS := 1 2 7

matrix: all ## tests that run kernels: every SIMD setting, 1, 2, 7 workers. SIMD= WORKERS= RACE=
	set -e; for simd in $(SIMD); do for workers in $(WORKERS); do echo "$$simd, $$workers workers"; $(call under,$$simd,$$workers) $(RACE) $(MATRIX); done; done

check: cc ## formatting, imports, static checks, generated files: before the tests
	$(GO) run ./cmd/check format imports
	$(GO) vet ./...
	$(GO) tool -modfile=.ci/tools.mod staticcheck ./...
	GOARCH=386 CGO_ENABLED=0 $(GO) build -o /dev/null ./cmd/jacquard
	$(GO) mod tidy -diff
	$(GO) run ./cmd/check generated

bench: ## Go benchmarks of kernels, operations, launches and copies, for benchstat
	$(GO) test -run '^$$' -bench . -benchtime 50ms ./study/bench ./libcuda ./libcuda/driver ./simt/lane ./fpu ./sfu

performance: tool ## measure at length and put the tables in docs/performance.md
	build/bin/jacquard bench --long --markdown > build/performance.md
	$(call insert,performance)

# ONLY=digest proves the special functions alone; JACQUARD_SIMD=off proves the portable code.
exhaustive: cc ## prove arithmetic for all inputs, and that texts assemble to their words; resumes
	$(GO) build -buildvcs=false -o build/bin/exhaustive ./cmd/prove/exhaustive
	build/bin/exhaustive $(ONLY)
	$(if $(ONLY),,$(GO) test -count=1 -timeout 60m -run 'Vectors|Random' ./asm -exhaustive)
	$(if $(ONLY),,LIBRARY_OPERANDS=10000000 $(GO) test -count=1 -timeout 0 ./ptx/compile/library)

# ORACLE="-n 100 -first 5000" runs some of the kernels.
oracle: cc ## compare every divergence policy with each lane run alone, on 10,000 random kernels
	$(GO) run ./cmd/prove/oracle $(ORACLE)

# Every 1 of CONFORMANCE is a kernel of each kind under each policy, and 200 mazes: 910 kernels.
# POLICIES=bfs,stackless:next=predicted runs some policies, as the oracle takes them.
# Without vector instructions the translator's suite runs the interpreter.
conformance: cc ## compare the engines on 30,000 random kernels
	$(GO) test -count=1 -timeout 0 -run '^TestConformance$$' ./simt/engine/translate -conformance $(CONFORMANCE) -policies $(POLICIES)

# NETS=2000 tries fewer programs of each kind, PROGRAMS=80 fewer of csmith's.
nets: cc ## random programs from source, in PTX and CUDA C: lanes that meet, locks, csmith's
	$(GO) test -count=1 -timeout 0 ./internal/test/meeting -meetings $(NETS)
	$(GO) test -count=1 -timeout 0 -run TestPTX ./internal/test/meeting -loose -meetings $(NETS)
	$(GO) test -count=1 -timeout 0 ./internal/test/idioms -levels
	$(GO) test -count=1 -timeout 0 -v -run Programs ./internal/test/csmith -programs $(PROGRAMS)

NETS := 20000
PROGRAMS := 3000

CONFORMANCE := 33
POLICIES := all

# SAMPLE=11 runs one launch of eleven. All take some hours.
engines: cc ## compare the engines on every kernel of testdata and the corpus, under every policy
	$(GO) test -count=1 -timeout 0 -v -run '^TestEngines$$' ./internal/test/kernels ./internal/test/clang -sample $(SAMPLE)

SAMPLE := 1

fused: cc ## the arithmetic's tests, compiled for processors with fused multiply-add
	GOAMD64=v3 $(GO) test ./fpu ./sfu ./simt/lane ./board/verify

generate: cc ## rewrite the generated files
	$(GO) generate ./...

fuzz: cc ## a short run of every fuzz target
	$(GO) run ./cmd/check fuzz

# Signals come for a minute per process, Go clients run for ten minutes, and the readers get 100,000
# changed files per format.
soak: cc ## long runs: threads, signals, Go clients, changed files, peak memory
	$(GO) test -count=1 -timeout 60m -v -run '^TestSoak$$' ./libcuda -soak 1000
	$(GO) test -count=1 -timeout 120m -v -run '^TestSignals$$' ./libcuda -soak-seconds 60
	$(GO) test -count=1 -timeout 60m -v -run '^TestGoClients$$' ./libcuda -soak-seconds 600
	$(GO) test -count=1 -timeout 60m -v -run '^TestMutations$$' ./observe/trace ./observe/stats ./observe/bundle -mutations 100000
	$(GO) test -count=1 -v -run '^TestPeakMemory$$' ./libcuda/driver -soak

# MUTANTS="-n 60 -seed 7 -packages ./simt/..." chooses number, seed and packages.
mutants: all ## plant small faults at random and count how many the tests find
	$(GO) run ./cmd/prove/mutants $(MUTANTS)

# "make clients PYCUDA=DIR PYTHON=PATH" runs PyCUDA's tests, too: docs/python.md.
clients: lib ## run numba's driver tests, ffmpeg and BOINC on the library
	@PYCUDA="$(PYCUDA)" PYTHON="$(PYTHON)" .ci/clients

playground: cc ## a page that runs kernels in a browser: build/playground/index.html
	@.ci/playground

browser: cc ## test the pages of report, player and playground in Chromium; pictures go to build
	@.ci/browser

cluster: cc ## run a study on a Slurm of two nodes on this machine, and here, and compare: CELLS=500
	@CELLS="$(CELLS)" .ci/cluster

clang: ## compile the kernels of testdata/clang anew: CLANG14= CLANG19= CLANG22= name the compilers
	@.ci/clang

sdk: lib runtime ## run your copy of NVIDIA's SDK 4.2 programs: SDK=DIR, PROGRAMS=... for some; CUDART=DIR for another runtime
	$(GO) run ./cmd/prove/sdkrun -sdk "$(SDK)" -cudart "$(CUDART)" $(PROGRAMS)

CUDART ?= build/runtime/lib64

compiler: lib runtime ## compare the code of our compiler with NVIDIA's on the SDK: SDK=DIR; docs/compiler.md
	$(GO) run ./cmd/prove/sdkrun -ptx -limit 30m -sdk "$(SDK)" -cudart "$(CUDART)" $(PROGRAMS) > build/compiler.md
	$(call insert,compiler)

growth: ## measure how compile time and memory grow with the size of PTX; docs/compiler.md
	$(GO) build -o build/growth ./cmd/prove/growth
	build/growth > build/growth.md
	sed -i -e '/^<!-- growth -->$$/,/^<!-- end -->$$/{//!d;}' -e '/^<!-- growth -->$$/r build/growth.md' docs/compiler.md

papers: lib runtime ## put figures of the papers beside ours into docs/papers.md: SDK=DIR CUDART=DIR
	$(GO) run ./cmd/prove/sdkrun -papers docs/papers.md -limit 30m -sdk "$(SDK)" -cudart "$(CUDART)"

# PROGRAMS="scan lud" runs some programs. ISPASS needs the helpers of the SDK: CUTIL=DIR without
# SDK.
peers: ## try the PTX tests of other projects: ZLUDA=DIR LLVM=DIR OCELOT=DIR; docs/ptx.md
	$(GO) run ./cmd/prove/peers -page docs/ptx.md -zluda "$(ZLUDA)" -llvm "$(LLVM)" -ocelot "$(OCELOT)"

suites: toolkit lib ## build and run public CUDA programs: SDK=DIR RODINIA=DIR ISPASS=DIR; docs/suites.md
	$(GO) run ./cmd/prove/suites -control -page docs/suites.md -sdk "$(SDK)" -rodinia "$(RODINIA)" -ispass "$(ISPASS)" -cutil "$(CUTIL)" $(PROGRAMS)

AGAINST ?= $(shell PATH="$$PATH:/sbin" ldconfig -p | sed -n '/x86-64/s/.*libcuda\.so\.1 .*=> //p' | head -n 1)

# The other driver gets PTX if it takes no machine code. AGAINST=PATH names another libcuda.so.1.
crosscheck: demo ## compare demo and test kernels with the machine's own driver
	build/bin/jacquard crosscheck --against "$(AGAINST)" --ptx testdata/ptx -- build/demo/vectoradd
	$(GO) test -count=1 -v -run '^TestCrosscheckAgainst$$' ./libcuda -against "$(abspath $(AGAINST))"

clean: ## remove all build outputs
	rm -rf build

help: ## list the targets
	@sed -n 's/^\([a-z0-9]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12
