package main

// main is never called: the package is built as a C library.
func main() {}
