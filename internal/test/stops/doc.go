// Package stops has a program for tests of the debugger: a kernel with lines, a branch, a loop and
// barriers, that runs in this process under a session. New makes one, and NewNames one with
// variables. Compile compiles other kernels with variables.
package stops
