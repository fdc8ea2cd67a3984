// Package jit turns the PTX that a program hands to the driver into code for a device.
//
// A [Compiler] compiles sources, one or several that are linked, and keeps the code in the cache on
// disk (package cache). [Choose] decides between machine code and PTX when a module holds both.
//
// Reading order: settings.go (what the user allows), choose.go, compile.go, code.go (the result),
// report.go (what a log says of it), errors.go, build.go (which build made an entry of the cache).
package jit
