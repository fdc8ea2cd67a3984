// Package planted writes random kernels for the checkers of races and of values that nobody wrote:
// kernels that are right by construction, and the same kernels with one mistake. Equal seeds make
// equal kernels.
//
// A model of its own says which lines of a Kernel may conflict: it lets each thread walk the kernel
// alone, and compares all accesses of all bytes by the rules of testdata/lab/README.md. It knows no
// warps that run, no shadow memory and no clocks. Another model says what of a Mix depends on values
// that nobody wrote: it runs the kernel with several guesses of these values at once. What differs
// from guess to guess depends on them and must be found; what cannot differ must not be found.
//
// Reading order of kernels: expr.go (indices), program.go (kernels), generate.go, zones.go and
// idioms.go (right kernels), plant.go (mistakes), walk.go and model.go (the model), write.go (PTX),
// run.go (launches under a checker), judge.go (findings against the model). Of mixes: mix.go,
// mix_compute.go (operations), mix_generate.go, mix_plant.go, mix_values.go and mix_walk.go (the
// model), mix_write.go, mix_run.go, mix_judge.go.
package planted
