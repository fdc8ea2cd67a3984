package main_test

import "testing"

// What runtime libraries ask for beyond the calls of cuda.h.

func TestProcAddress(t *testing.T) {
	requirePassed(t, nil, compile(t, "procaddress.c", "-D_GNU_SOURCE"))
}
