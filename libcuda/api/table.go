package api

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// Table is the whole interface. Functions are sorted by symbol, enumerations and types by name.
type Table struct {
	Functions []Function
	Types     []Type
	Structs   []Struct // in the order of the file: a structure may need earlier ones
	Enums     []Enum
	Macros    []Constant
}

// Load reads the tables below dir, the libcuda folder: api/*.csv and driver/constants.csv. It
// refuses contradictory tables: duplicate symbols, unknown types, a variant without its base.
func Load(dir fs.FS) (*Table, error) {
	t := &Table{}
	for _, part := range []struct {
		path    string
		columns int
		add     func(row []string) error
	}{
		{"api/types.csv", 5, t.addType},
		{"api/structs.csv", 3, t.addField},
		{"driver/constants.csv", 4, t.addConstant},
		{"api/enums.csv", 4, t.addConstant},
		{"api/api.csv", 7, t.addFunction},
	} {
		if err := readRows(dir, part.path, part.columns, part.add); err != nil {
			return nil, err
		}
	}
	t.sortConstants()
	slices.SortFunc(t.Types, func(a, b Type) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(t.Functions, func(a, b Function) int { return strings.Compare(a.Symbol, b.Symbol) })
	return t, t.check()
}

// readRows calls add for every row of a csv file after its heading.
func readRows(dir fs.FS, path string, columns int, add func([]string) error) error {
	f, err := dir.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord = columns
	rows, err := r.ReadAll()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for i, row := range rows[min(1, len(rows)):] {
		if err := add(row); err != nil {
			return fmt.Errorf("%s: line %d: %w", path, i+2, err)
		}
	}
	return nil
}

func (t *Table) addFunction(row []string) error {
	f := Function{Name: row[0], Symbol: row[1], Variant: row[2], Group: row[3]}
	var err error
	if f.Since, err = ParseVersion(row[4]); err != nil {
		return err
	}
	if f.Priority, err = strconv.Atoi(row[5]); err != nil || f.Priority < 1 || f.Priority > 3 {
		return fmt.Errorf("priority %q is not 1, 2 or 3", row[5])
	}
	if f.Params, err = parseParams(row[6]); err != nil {
		return err
	}
	suffix := ""
	if f.Variant != "" && f.Variant != "v1" {
		suffix = "_" + f.Variant
	}
	if f.Symbol != f.Name+suffix {
		return fmt.Errorf("symbol %s is not variant %q of %s", f.Symbol, f.Variant, f.Name)
	}
	t.Functions = append(t.Functions, f)
	return nil
}

func (t *Table) addType(row []string) error {
	since, err := ParseVersion(row[3])
	t.Types = append(t.Types, Type{Name: row[0], Kind: Kind(row[1]), Tag: row[2], Since: since, Definition: row[4]})
	return err
}

func (t *Table) addField(row []string) error {
	if n := len(t.Structs); n == 0 || t.Structs[n-1].Name != row[0] {
		t.Structs = append(t.Structs, Struct{Name: row[0]})
	}
	s := &t.Structs[len(t.Structs)-1]
	s.Fields = append(s.Fields, Field{Name: row[1], Type: row[2]})
	s.Wide = s.Wide || row[2] == "size" || row[2] == "dptr"
	return nil
}

// Variants returns every function called name, oldest first.
func (t *Table) Variants(name string) []Function {
	list := slices.DeleteFunc(slices.Clone(t.Functions), func(f Function) bool { return f.Name != name })
	slices.SortStableFunc(list, func(a, b Function) int { return cmp.Compare(a.Since, b.Since) })
	return list
}

// NarrowSuffix ends the name of a type's form before release 3.2.
const NarrowSuffix = "_v1"

// cTypes are the types of the language and of stdint.h that the tables use.
var cTypes = map[string]bool{
	"void": true, "char": true, "int": true, "float": true, "size_t": true,
	"unsigned int": true, "unsigned short": true, "unsigned char": true,
}

// check ties the tables together and marks the structures that have a narrow form.
func (t *Table) check() error {
	known := map[string]bool{"CUdeviceptr": true, "CUdeviceptr" + NarrowSuffix: true}
	for name := range cTypes {
		known[name] = true
	}
	for _, typ := range t.Types {
		known[typ.Name] = true
	}
	for _, e := range t.Enums {
		known[e.Name] = true
	}
	for i := range t.Structs {
		s := &t.Structs[i]
		known[s.Name] = true
		if s.Wide {
			known[s.Name+NarrowSuffix] = true
		}
	}
	symbols := map[string]bool{}
	for _, f := range t.Functions {
		if symbols[f.Symbol] {
			return fmt.Errorf("symbol %s appears twice", f.Symbol)
		}
		symbols[f.Symbol] = true
		for _, p := range f.Params {
			base := p.Base()
			if !known[base] {
				return fmt.Errorf("%s: parameter %s has unknown type %s", f.Symbol, p.Name, base)
			}
			if s := t.structure(strings.TrimSuffix(base, NarrowSuffix)); s != nil && s.Name != base {
				s.Narrow = true
			}
		}
	}
	for _, f := range t.Functions {
		if !symbols[f.Name] {
			return fmt.Errorf("symbol %s has no unsuffixed variant", f.Symbol)
		}
		// A program from before 3.2 has only narrow types, so the table must not offer it such a
		// function.
		if f.Variant != "v1" && f.Since < WideABI && f.wide() {
			return fmt.Errorf("%s: pointer-wide parameters in release %s", f.Symbol, f.Since)
		}
	}
	return nil
}

func (t *Table) structure(name string) *Struct {
	if i := slices.IndexFunc(t.Structs, func(s Struct) bool { return s.Name == name }); i >= 0 {
		return &t.Structs[i]
	}
	return nil
}
