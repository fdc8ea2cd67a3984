package api

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Constant is one enumerator or macro.
type Constant struct {
	Name    string
	Value   int
	From    Version // first release that has it with this value; 0 for always
	Until   Version // first release that does not; 0 for never
	Pointer bool    // a value cast to void *
}

// Enum is a C enumeration. Enumerators are in the order of their values.
type Enum struct {
	Name   string
	Values []Constant
}

// Tag is the enumeration's tag.
func (e *Enum) Tag() string {
	if e.Name == "CUresult" {
		return "cudaError_enum"
	}
	return e.Name + "_enum"
}

// Guarded reports whether c is declared for some releases only, because a release changed its name
// or value. Constants that were only added later are always declared.
func (e *Enum) Guarded(c Constant) bool {
	return c.Until != 0 || c.From != 0 && slices.ContainsFunc(e.Values, func(old Constant) bool { return old.Until == c.From })
}

// macroType is the type column of constants that are macros.
const macroType = "macro"

// addConstant files one row of a constants table: type, name, value, note. Notes are clauses
// separated by semicolons: "6.0 on" is the first release with this name and value, "NAME before"
// the earlier name, "VALUE before" the earlier value, "pointer value" a cast to void *.
func (t *Table) addConstant(row []string) error {
	typ, c := row[0], Constant{Name: row[1]}
	var err error
	if c.Value, err = strconv.Atoi(row[2]); err != nil {
		return fmt.Errorf("constant %s: value %q is not a number", c.Name, row[2])
	}
	var before string
	for _, clause := range strings.Split(row[3], ";") {
		clause = strings.TrimSpace(clause)
		switch {
		case clause == "":
		case clause == "pointer value":
			c.Pointer = true
		case strings.HasSuffix(clause, " on"):
			if c.From, err = ParseVersion(strings.TrimSuffix(clause, " on")); err != nil {
				return fmt.Errorf("constant %s: %w", c.Name, err)
			}
		case strings.HasSuffix(clause, " before"):
			before = strings.TrimSuffix(clause, " before")
		default:
			return fmt.Errorf("constant %s: unknown note %q", c.Name, clause)
		}
	}
	if err := t.fileConstant(typ, c); err != nil || before == "" {
		return err
	}
	old := Constant{Name: before, Value: c.Value, Until: c.From}
	if v, err := strconv.Atoi(before); err == nil {
		old.Name, old.Value = c.Name, v
	}
	return t.fileConstant(typ, old)
}

// fileConstant adds c to its enumeration. Two rows may repeat an earlier name or value; they must
// not contradict each other.
func (t *Table) fileConstant(typ string, c Constant) error {
	if typ == macroType {
		t.Macros = append(t.Macros, c)
		return nil
	}
	e := t.enum(typ)
	if e == nil {
		t.Enums = append(t.Enums, Enum{Name: typ})
		e = &t.Enums[len(t.Enums)-1]
	}
	for _, old := range e.Values {
		if old == c {
			return nil
		}
		if old.Name == c.Name && (old.Until == 0 || old.Until != c.From) && (c.Until == 0 || c.Until != old.From) {
			return fmt.Errorf("constant %s is both %d and %d", c.Name, old.Value, c.Value)
		}
	}
	e.Values = append(e.Values, c)
	return nil
}

// sortConstants puts enumerations in order of name and enumerators in order of value.
func (t *Table) sortConstants() {
	slices.SortFunc(t.Enums, func(a, b Enum) int { return strings.Compare(a.Name, b.Name) })
	for _, e := range t.Enums {
		slices.SortStableFunc(e.Values, func(a, b Constant) int { return cmp.Compare(a.Value, b.Value) })
	}
}

func (t *Table) enum(name string) *Enum {
	if i := slices.IndexFunc(t.Enums, func(e Enum) bool { return e.Name == name }); i >= 0 {
		return &t.Enums[i]
	}
	return nil
}
