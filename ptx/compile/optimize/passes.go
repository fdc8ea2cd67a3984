package optimize

import "jacquard/ptx/compile/ir"

// Pass is a step with a name.
type Pass struct {
	Name string
	What string // for people
	Run  func(*ir.Func)
}

// Passes are the steps in the order in which they run.
var Passes = []Pass{
	{"clean", "values and blocks that nothing needs are removed", Clean},
	{"simplify", "constants are folded and operations are replaced by cheaper ones", Simplify},
	{"common", "values that are computed twice are computed once", Common},
	{"space", "the spaces of generic addresses are found", Spaces},
	{"lock", "atomic operations on shared memory become accesses with locks", Locks},
	{"texture", "components of textures that nothing uses are left out", Textures},
	{"multiply", "products of 32 bits become products of 16 bits", Multiply},
	{"contract", "a product and a sum become one operation", Contract},
	{"predicate", "logic on predicates becomes logic on words", Predicates},
	{"address", "addresses move to address registers and offsets", Addresses},
	{"pointer", "pointers that loops move stay in address registers", Pointers},
	{"hoist", "address registers that do not change in a loop are set before it", Hoist},
	{"common2", "values that the last steps made twice are computed once", again},
	{"uniform", "branches are found that a warp takes as one", Uniform},
}

func again(f *ir.Func) {
	simplify(f, true)
	Common(f)
	Clean(f)
}
