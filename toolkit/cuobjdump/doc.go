// Package cuobjdump lists, extracts and prints the device code of cubins, fat binaries, object files,
// libraries and programs, under the command line of NVIDIA's cuobjdump.
//
// Reading order: options.go, cuobjdump.go (which code), print.go (in which form).
package cuobjdump
