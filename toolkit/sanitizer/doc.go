// Package sanitizer is compute-sanitizer and cuda-memcheck: their command lines, carried out by
// "jacquard check", whose report takes the form of the tool.
//
// Reading order: options.go (the options), sanitizer.go (what becomes of them).
package sanitizer
