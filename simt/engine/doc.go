// Package engine says what an engine is: something that executes straight code on a machine state.
// It knows no schedule: which warps go when, and what branches do, is the caller's.
package engine
