// Package cases runs tests that are written as text: the input of a step of the compiler, and its
// output.
package cases
