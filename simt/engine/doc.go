// Package engine is the interface of an engine: it executes straight-line code on a machine state.
// It knows no schedule: the caller decides the order of warps and the outcome of branches.
package engine
