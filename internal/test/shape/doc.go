// Package shape writes PTX of a shape and a size: for measuring how the time and the memory of the
// compiler grow, and for tests of its limits.
package shape
