// Package difference finds where two contents of one piece of memory differ, and says it in words.
//
// [Find] compares; a [Difference] is the first word that is not the same, with the distance in
// units of the last place where both look like floating-point numbers. It knows bytes only: which
// buffer of which launch they are, its callers say.
package difference
