# The device mathematics, as bitcode that clang links into device code. Included by the toolkit's
# makefile; paths are those of the root.
#
# Needs clang-19, llvm-19 and libclc-19: "apt-get install clang-19 llvm-19 libclc-19". LLVM_SUFFIX=
# and LIBCLC= name other places.

LLVM_SUFFIX ?= -19
LIBCLC ?= /usr/lib/clc/nvptx64--.bc

libdevice.bc := build/toolkit/nvvm/libdevice/libdevice.10.bc
libdevice.sources := $(wildcard toolkit/libdevice/source/*.cpp)
libdevice.headers := $(wildcard toolkit/libdevice/source/*.h)
libdevice.parts := $(libdevice.sources:toolkit/libdevice/source/%.cpp=build/libdevice/%.bc)

# The sources must mean the same whatever options a user compiles with: products are contracted
# with sums nowhere, and functions name no processor.
libdevice.flags := --target=nvptx64-nvidia-cuda -Xclang -target-cpu -Xclang sm_20 -nogpulib \
	-std=c++20 -O2 -Wall -Wextra -Werror -ffp-contract=off -fno-exceptions -fno-rtti \
	-fno-threadsafe-statics -nostdinc -fno-builtin -fno-math-errno -fno-ident

build/libdevice/%.bc: toolkit/libdevice/source/%.cpp $(libdevice.headers) | libdevice.tools
	@mkdir -p $(@D)
	@clang$(LLVM_SUFFIX) $(libdevice.flags) -emit-llvm -c $< -o $@

libdevice.inputs := $(addprefix toolkit/libdevice/,libdevice.mk libdevice.sed functions.csv)

$(libdevice.bc): $(libdevice.parts) $(libdevice.inputs) | libdevice.tools
	@mkdir -p $(@D)
	@cut -d ';' -f 1 toolkit/libdevice/functions.csv > build/libdevice/names
	@llvm-link$(LLVM_SUFFIX) $(libdevice.parts) -o build/libdevice/own.bc
	@llvm-link$(LLVM_SUFFIX) -suppress-warnings --internalize --only-needed \
		build/libdevice/own.bc $(LIBCLC) -o build/libdevice/linked.bc
	@opt$(LLVM_SUFFIX) -S -passes='internalize,globaldce,default<O2>,instnamer' \
		-internalize-public-api-file=build/libdevice/names \
		build/libdevice/linked.bc -o build/libdevice/linked.ll
	@sed -E -f toolkit/libdevice/libdevice.sed build/libdevice/linked.ll > build/libdevice/fixed.ll
	@opt$(LLVM_SUFFIX) -passes='function(instsimplify),globaldce,strip' \
		build/libdevice/fixed.ll -o $@

# "make accuracy N=100000000 FUNCTIONS='sinf|cosf'" measures some functions at length.
N ?= 10000000
FUNCTIONS ?= .*

accuracy: $(libdevice.bc) ## measure the device mathematics: docs/libdevice.md. N= FUNCTIONS=
	$(GO) run ./cmd/prove/accuracy -n $(N) -only "$(FUNCTIONS)" > build/libdevice.md
	@$(if $(filter .*,$(FUNCTIONS)),$(call insert,libdevice),cat build/libdevice.md)

.PHONY: accuracy libdevice libdevice.tools
libdevice: $(libdevice.bc) ## build/toolkit/nvvm/libdevice/libdevice.10.bc: device mathematics

# Checked each time, so that a missing tool is named.
libdevice.tools:
	@for tool in clang llvm-link llvm-dis opt; do command -v $$tool$(LLVM_SUFFIX) > /dev/null || { \
		echo "libdevice: no $$tool$(LLVM_SUFFIX): apt-get install clang-19 llvm-19" >&2; exit 1; }; done
	@test -f $(LIBCLC) || { echo "libdevice: no $(LIBCLC): apt-get install libclc-19" >&2; exit 1; }
