// Package build turns a kernel of PTX into static single assignment form. Calls are built in the
// place of the call, registers of 64 bits become two Words, and an instruction that the
// architecture lacks becomes a call of a function of the library.
//
// Reading order: build.go, flow.go, ssa.go, operand.go, special.go, dispatch.go, integer.go,
// compare.go, float.go, convert.go, memory.go, texture.go, together.go, call.go.
package build
