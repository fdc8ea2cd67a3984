// Package difference compares two contents of one piece of memory and describes the difference.
//
// [Find] compares; a [Difference] is the first word that differs, with the distance in units of the
// last place where both look like floating-point numbers. The package knows bytes only; its callers
// name the buffer and the launch.
package difference
