// Package nvcc compiles CUDA C++ and links programs, under the command line of NVIDIA's nvcc. Clang
// is the front end for both halves of a source, package ptxas makes the machine code, package
// fatbinary packs it.
//
// A command line becomes a list of steps, and each step is a command line of its own: -dryrun prints
// them. For one source file they are
//
//	clang++ --cuda-device-only ... -o k.plain.ll k.cu  once per virtual architecture
//	toolkit locks k.plain.ll k.locks.ll                if it has atomic operations
//	clang++ ... -o k.ll k.locks.ll
//	toolkit relax k.ll k.relaxed.ll                    unless all is exact
//	clang++ ... -S -o k.ptx k.relaxed.ll
//	ptxas --gpu-name=sm_13 ... -o k.sm_13.cubin k.ptx  once per real architecture
//	fatbinary --create=k.fatbin --image=...
//	clang++ --cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang k.fatbin -c -o k.o k.cu
//
// Clang could drive these steps itself, with --cuda-path. But then both halves would have the same
// options, while __CUDA_ARCH__, contraction and the precision of division are matters of the device
// alone; clang has no architecture before sm_20; and -keep and -dryrun could not show the steps.
//
// Sources with spellings that clang does not take are read through an overlay ([Respell]).
//
// Reading order: options.go, settings.go and take.go (the command line), arch.go (architectures),
// plan.go (steps), device.go, mathematics.go and relax.go (steps of the device half), locks.go,
// llvm.go and meeting.go (critical sections), host.go and link.go (steps of the host half),
// respell.go, toolkit.go (paths), run.go, interrupt.go, messages.go and explain.go (output).
package nvcc
