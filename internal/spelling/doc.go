// Package spelling finds the known name that a misspelled one was meant to be, for hints in errors.
package spelling
