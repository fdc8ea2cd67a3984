package main

import (
	"bytes"
	"fmt"
	"strings"

	"jacquard/libcuda/api"
)

// printRandom prints, for testdata/c/random.c, a function that calls any symbol with random
// arguments, made by the program's functions for the parameters' types. Results are kept for later
// calls.
func printRandom(b *bytes.Buffer, m *model) {
	fmt.Fprintf(b, "/* %s */\n", banner)
	b.WriteString("/* Calls of every symbol with arguments by chance; random.c says where they come from. */\n\n")
	for _, f := range m.Functions {
		fmt.Fprintf(b, "CUresult %s(%s);\n", f.Symbol, params(f.Params))
	}
	b.WriteString("\n/* Kinds of handles. */\nenum {\n")
	for _, t := range m.Types {
		if t.Kind == api.Handle {
			fmt.Fprintf(b, "\tKIND_%s,\n", t.Name)
		}
	}
	fmt.Fprintf(b, "\tKINDS\n};\n\nenum { SYMBOLS = %d };\n\n", len(m.Functions))
	for i := range m.Structs {
		if s := &m.Structs[i]; m.passed(s.Name) {
			m.printFiller(b, s, "")
			if s.Narrow {
				m.printFiller(b, s, "_v1")
			}
		}
	}
	b.WriteString("static CUresult call(int symbol)\n{\n\tCUresult r = -1;\n\n\tswitch (symbol) {\n")
	for i, f := range m.Functions {
		m.printCall(b, i, &f)
	}
	b.WriteString("\t}\n\treturn r;\n}\n")
}

// passed reports whether a call reads the structure called name.
func (m *model) passed(name string) bool {
	for _, f := range m.Functions {
		for _, p := range f.Params {
			if strings.HasPrefix(p.Type, "const ") && strings.TrimSuffix(p.Base(), "_v1") == name {
				return true
			}
		}
	}
	return false
}

// printFiller prints a function that fills one form of a structure.
func (m *model) printFiller(b *bytes.Buffer, s *api.Struct, form string) {
	fmt.Fprintf(b, "static const void *make_%s%s(void)\n{\n\t%s%s *s = (%s%s *)own(sizeof *s);\n\n", s.Name, form, s.Name, form, s.Name, form)
	for _, f := range s.Fields {
		if strings.Contains(f.Name, "[") {
			continue
		}
		value := "small()"
		switch {
		case f.Type == "dptr":
			value = fmt.Sprintf("(CUdeviceptr%s)address()", form)
		case strings.HasSuffix(f.Type, "*"):
			value = "(uintptr_t)own(1)"
		case m.handle(f.Type):
			value = "handle(KIND_" + f.Type + ")"
		}
		fmt.Fprintf(b, "\ts->%s = %s;\n", f.Name, value)
	}
	b.WriteString("\treturn s;\n}\n\n")
}

// handle reports whether a type is a handle type.
func (m *model) handle(name string) bool {
	for _, t := range m.Types {
		if t.Name == name {
			return t.Kind == api.Handle
		}
	}
	return false
}

// printCall prints the call of a symbol.
func (m *model) printCall(b *bytes.Buffer, number int, f *api.Function) {
	fmt.Fprintf(b, "\tcase %d: {\n", number)
	var names []string
	var keep bytes.Buffer
	for i, p := range f.Params {
		name := fmt.Sprintf("a%d", i)
		names = append(names, name)
		constant := strings.HasPrefix(p.Type, "const ")
		base := p.Base()
		structure := m.isStruct(strings.TrimSuffix(base, "_v1"))
		value := fmt.Sprintf("(%s)number()", p.Type)
		switch {
		case p.Pointer() && constant && structure:
			value = "make_" + base + "()"
		case p.Type == "const char *":
			value = "text()"
		case p.Type == "const void *":
			value = "data()"
		case p.Pointer():
			value = "memory()"
			switch {
			case strings.Count(p.Type, "*") > 1 || constant || p.Name == "resources": // a list that the call reads
			case m.handle(base):
				fmt.Fprintf(&keep, "\t\tif (r == 0 && %s)\n\t\t\tkeep(KIND_%s, *%s);\n", name, base, name)
			case strings.HasPrefix(base, "CUdeviceptr"):
				fmt.Fprintf(&keep, "\t\tif (r == 0 && %s)\n\t\t\tkeep_address(*%s);\n", name, name)
			}
		case structure:
			value = "{{0}}"
		case m.handle(p.Type):
			value = "handle(KIND_" + p.Type + ")"
		case strings.HasPrefix(p.Type, "CUdeviceptr"):
			value = fmt.Sprintf("(%s)address()", p.Type)
		case p.Type == "CUstreamCallback":
			value = "(CUstreamCallback)called_back"
		case p.Type == "CUoccupancyB2DSize":
			value = "(CUoccupancyB2DSize)shared_size"
		}
		fmt.Fprintf(b, "\t\t%s = %s;\n", api.Param{Type: p.Type, Name: name}, value)
	}
	fmt.Fprintf(b, "\t\tr = %s(%s);\n%s\t\tbreak;\n\t}\n", f.Symbol, strings.Join(names, ", "), keep.String())
}
