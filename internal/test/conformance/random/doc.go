// Package random writes kernels for tests, and their launches. Straight kernels are made of every form
// of instruction that a device decodes; looping kernels have such instructions in a loop and in a
// branch; racing kernels have warps that read and write the same few words, so that any change of
// order shows; breaking kernels do so too, with breaks from within branches and functions. Equal seeds
// make equal kernels.
//
// Reading order: kernel.go (a kernel), forms.go and tame.go (random instructions), straight.go with
// record.go and trial.go (straight kernels), seen.go (statistics of their instructions), looping.go,
// racing.go, breaking.go.
package random
