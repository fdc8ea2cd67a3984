// Package optimize improves a kernel in static single assignment form, a pass to a file.
//
// Reading order: passes.go, clean.go, simplify.go, fold.go, algebra.go, compare.go, bits.go,
// common.go, space.go, generic.go, lock.go, texture.go, contract.go, multiply.go, predicate.go,
// address.go, pointer.go, hoist.go, uniform.go.
//
// testdata/PASS.txt has kernels before and after each pass. A new rule gets a case there that
// fires it and one that just does not; "go test -update" writes the output of the pass, to be
// reviewed.
package optimize
