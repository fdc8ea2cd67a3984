package main

import "strings"

// A note gives the reason why a test is refused, or has another result. Notes are in order; a test
// gets the first note whose mark is in the message, or is the name of the test.
var notes = []struct{ mark, why string }{
	{"mul_non_ftz", "the devices flush subnormal numbers of f32"},
	{"div_noftz", "the devices flush subnormal numbers of f32"},
	{`".u2"`, "no PTX: LLVM prints an integer of an odd size as it is"},
	{`".str1"`, "no PTX: LLVM prints a name with a dot"},
	{`"func_retval0"`, "no PTX: LLVM stores a result that the function lacks"},
	{`"_Z_intrinsic_ldwseq_global_f64"`, "no PTX: the callee is the name of a prototype alone"},
	{`"4831838208"`, "a variable of more than 4 GB"},
	{"cudaGetParameterBuffer", "kernels that launch kernels need sm_35"},
	{`".tf32"`, "tf32 is a type of matrix units"},
	{`".satfinite"`, "numbers of 8 bits are for matrix units"},
	{`".e4m3x2"`, "numbers of 8 bits are for matrix units"},
	{`".e5m2x2"`, "numbers of 8 bits are for matrix units"},
	{`".mbarrier"`, "the devices have no barriers in memory"},
	{`".shared::cluster"`, "the devices have no clusters of blocks"},
	{"suld_", "surfaces are not supported"}, {"sust_", "surfaces are not supported"}, {"suq_", "surfaces are not supported"},
	{"txq_", "code cannot ask for the properties of a texture"},
	{"bindless", "the texture must be known when the code is compiled"},
	{"is not supported: ", "as the message says"},
	{"only barriers of the whole block", "the device's barriers are of the whole block, and a number is in the instruction"},
	{"b128", "registers of 128 bits are not supported"},
	{"no such special register", "the number of multiprocessors is the device's, and code is for an architecture"},
	{"alloca", "a stack of variable size is not supported"},
}

// note returns the note of a test that does not pass, "" if there is none.
func note(o outcome) string {
	for _, n := range notes {
		if n.mark == o.name || strings.Contains(o.reason, n.mark) {
			return n.why
		}
	}
	return ""
}
