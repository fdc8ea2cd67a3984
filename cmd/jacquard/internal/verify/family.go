package verify

import "fmt"

// outcome is what a reference computed. flags is meaningful only if hasFlags, r2 only if
// hasR2.
type outcome struct {
	r, r2    uint64
	flags    uint8
	hasFlags bool
	hasR2    bool
}

func withFlags(r uint64, flags uint8) outcome {
	return outcome{r: r, flags: flags, hasFlags: true}
}

// family is a group of operations that one reference evaluates and one function turns
// into instructions.
type family struct {
	name string
	ops  []string
	eval func(*Row) (outcome, error)
	form func(*Row) (form, error)
}

// families lists all of them.
func families() []family {
	return []family{
		{"integer", integerOps, evalInteger, integerForm},
		{"single", singleOps, evalSingle, floatForm},
		{"double", doubleOps, evalDouble, floatForm},
		{"conversion", convertOps, evalConvert, convertForm},
		{"special", specialOps, evalSpecial, specialForm},
		{"atomic", atomicOps, evalAtomic, atomicForm},
	}
}

// references maps every operation to the function that evaluates it.
func references() map[string]func(*Row) (outcome, error) {
	m := map[string]func(*Row) (outcome, error){}
	for _, f := range families() {
		for _, op := range f.ops {
			m[op] = f.eval
		}
	}
	return m
}

// modError says that an operation has no such modifier.
func modError(r *Row, mod string) error {
	return fmt.Errorf("%s: unknown modifier %q", r.Op, mod)
}

// checkMods refuses modifiers that are not among known.
func checkMods(r *Row, known map[string]bool) error {
	for _, m := range r.Mods {
		if !known[m] {
			return modError(r, m)
		}
	}
	return nil
}

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}
