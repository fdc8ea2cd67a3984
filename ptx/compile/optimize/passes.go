package optimize

import (
	"fmt"
	"slices"

	"jacquard/ptx/compile/ir"
)

// Pass is a step with a name.
type Pass struct {
	Name string
	What string // for people
	Run  func(*ir.Func)
}

// Moves reports whether the pass moves instructions out of loops, away from the lines around them.
func (p Pass) Moves() bool { return p.Name == "pointer" || p.Name == "hoist" }

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

// order are pairs of passes. The first of a pair must come before the second.
var order = []struct{ first, second, why string }{
	{"clean", "simplify", "rules ask how many users a value has"},
	{"space", "lock", "an operation on shared memory may have had a generic address"},
	{"space", "address", "only some spaces are reached through address registers"},
	{"lock", "address", "a lock makes accesses of shared memory"},
	{"simplify", "multiply", "powers of two are shifts"},
	{"multiply", "common2", "products of 16 bits are made twice"},
	{"simplify", "predicate", "the rules of predicates' logic find none after it"},
	{"lock", "predicate", "a lock of 64 bits makes logic of predicates"},
	{"address", "pointer", "a pointer is known by its move to an address register"},
	{"pointer", "hoist", "a register that a pointer moves must not be hoisted"},
	{"hoist", "common2", "equal registers of several loops become one before the outer"},
	{"common2", "uniform", "no pass after it may change what a branch depends on"},
}

func init() {
	if err := CheckOrder(Passes); err != nil {
		panic(err)
	}
}

// CheckOrder returns an error if passes stand in an order that does not work.
func CheckOrder(list []Pass) error {
	place := func(name string) int {
		return slices.IndexFunc(list, func(p Pass) bool { return p.Name == name })
	}
	for _, o := range order {
		switch first, second := place(o.first), place(o.second); {
		case first < 0:
			return fmt.Errorf("no pass %s", o.first)
		case second < 0:
			return fmt.Errorf("no pass %s", o.second)
		case first > second:
			return fmt.Errorf("pass %s comes after pass %s: %s", o.first, o.second, o.why)
		}
	}
	return nil
}

func again(f *ir.Func) {
	simplify(f, true)
	Common(f)
	Clean(f)
}
