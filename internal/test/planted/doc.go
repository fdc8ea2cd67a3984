// Package planted writes random kernels for the checkers of races: kernels that are right by
// construction, and the same kernels with one mistake. A model of its own says which lines may
// conflict: it lets each thread walk the kernel alone, and compares all accesses of all bytes by the
// rules of testdata/lab/README.md. It knows no warps that run, no shadow memory and no clocks. Equal
// seeds make equal kernels.
//
// Reading order: expr.go (indices), program.go (kernels), generate.go, zones.go and idioms.go (right
// kernels), plant.go (mistakes), walk.go and model.go (the model), write.go (PTX), run.go (launches
// under a checker), judge.go (findings against the model).
package planted
