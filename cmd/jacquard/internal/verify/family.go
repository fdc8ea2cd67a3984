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

// family is a group of operations that one function turns into instructions.
type family struct {
	name string
	ops  []string
	form func(*Row) (form, error)
}

// families lists all of them.
func families() []family {
	return []family{
		{"integer", integerOps, integerForm},
		{"single", singleOps, floatForm},
		{"double", doubleOps, floatForm},
		{"conversion", convertOps, convertForm},
		{"special", specialOps, specialForm},
		{"atomic", atomicOps, atomicForm},
	}
}

// forms maps every operation to the function that turns it into instructions.
func forms() map[string]func(*Row) (form, error) {
	m := map[string]func(*Row) (form, error){}
	for _, f := range families() {
		for _, op := range f.ops {
			m[op] = f.form
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
