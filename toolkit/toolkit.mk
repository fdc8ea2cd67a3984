# Builds build/toolkit, a CUDA toolkit with nothing of NVIDIA's: nvcc and its companions, headers,
# libraries. The root Makefile includes this file; paths start there.

include toolkit/libdevice/libdevice.mk

TOOLKIT ?= build/toolkit
TOOLS := nvcc ptxas fatbinary cuobjdump compute-sanitizer cuda-memcheck

.PHONY: toolkit

# "make toolkit CLANG=PATH" chooses clang++; nvcc.profile keeps the choice. CMake links
# libcudadevrt, which is empty, because kernels launch no kernels.
toolkit: $(TOOLKIT)/bin lib runtime libdevice tool ## build/toolkit: nvcc, headers and libraries for CUDA C++
	rm -rf $(TOOLKIT)/include
	mkdir -p $(TOOLKIT)/include $(TOOLKIT)/lib64
	cp -r toolkit/include/. libcuda/include/. $(TOOLKIT)/include
	cat toolkit/release.h libcuda/include/cuda.h > $(TOOLKIT)/include/cuda.h
	cp -a --remove-destination build/runtime/lib64/. $(TOOLKIT)/lib64
	ln -sf ../../lib/libcuda.so.1 $(TOOLKIT)/lib64/libcuda.so
	ar rcs $(TOOLKIT)/lib64/libcudadevrt.a
	ln -sfn lib64 $(TOOLKIT)/lib
	$(TOOLKIT)/bin/nvcc --version | sed -n 's/^Cuda.*, V/CUDA Version /p' > $(TOOLKIT)/version.txt

# Clang, LLVM's tools and libclc are installed before other steps.
.PHONY: llvm
llvm:
	@.ci/llvm > /dev/null

libdevice.tools: llvm

$(TOOLKIT)/bin: llvm FORCE
	mkdir -p $@
	clang=$$(.ci/llvm) && echo "CLANG = $$clang" > $@/nvcc.profile
	CGO_ENABLED=0 $(GO) build -trimpath -o $@/toolkit ./cmd/toolkit
	for tool in $(TOOLS); do ln -sf toolkit $@/$$tool; done
