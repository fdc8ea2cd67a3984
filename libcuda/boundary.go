package main

// #include "abi_gen.h"
import "C"

//export goThreadEnd
func goThreadEnd(thread C.uint64_t) {}
