// Package variables tests that a debugger finds the variables of programs compiled with nvcc -G, with
// their values, and the functions that are inlined.
package variables
