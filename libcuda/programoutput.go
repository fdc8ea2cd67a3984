package main

// #include "server.h"
import "C"

import "unsafe"

// programOutput is the standard output of the program. A Write runs on a thread that serves a call,
// and the program's thread that made the call writes: the simulator's threads do not have the
// program's descriptors, and the program's stdio may hold earlier output.
type programOutput struct{}

// Write implements io.Writer.
func (programOutput) Write(text []byte) (int, error) {
	if len(text) > 0 {
		C.jacquard_print(unsafe.Pointer(unsafe.SliceData(text)), C.size_t(len(text)))
	}
	return len(text), nil
}
