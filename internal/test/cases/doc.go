// Package cases runs tests that are written as text: what a step of the compiler is given, and what
// it makes of it.
package cases
