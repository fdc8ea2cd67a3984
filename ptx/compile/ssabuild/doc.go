// Package ssabuild turns a kernel of PTX into static single assignment form. Calls are built in the
// place of the call, or with a stack where functions call themselves; registers of 64 bits become
// two Words, and an instruction that the architecture lacks becomes a call of a function of the
// library.
//
// Reading order: build.go, section.go, flow.go, ssa.go, operand.go, special.go, dispatch.go,
// integer.go, packed.go, video.go, compare.go, float.go, convert.go, memory.go, texture.go,
// together.go, call.go, calls.go, aggregate.go, stack.go, system.go, librarycall.go, refuse.go.
package ssabuild
