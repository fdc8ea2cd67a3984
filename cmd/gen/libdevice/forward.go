package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"jacquard/toolkit/libdevice"
)

// clc matches the name of a function of libclc.
var clc = regexp.MustCompile(`_Z\d\w+`)

// forward returns the source of the functions whose bodies are expressions.
func forward(all []libdevice.Function) string {
	var b strings.Builder
	prototypes := map[string]bool{}
	for _, f := range all {
		if f.InFile() {
			continue
		}
		params := make([]string, len(f.Params))
		for i, p := range f.Params {
			params[i] = p + " " + string(rune('a'+i))
		}
		for _, name := range clc.FindAllString(f.Body, -1) {
			prototypes[prototype(name)] = true
		}
		result := "return " + f.Body
		if f.Result == "void" {
			result = f.Body
		}
		fmt.Fprintf(&b, "\nAPI %s %s(%s) {\n    %s;\n}\n", f.Result, f.Name,
			strings.Join(params, ", "), result)
	}
	return header + "#include \"device.h\"\n\nextern \"C\" {\n" +
		strings.Join(slices.Sorted(maps.Keys(prototypes)), "\n") + "\n}\n" + b.String()
}

// types are the types in mangled names.
var types = strings.NewReplacer("Pf", "float*, ", "Pd", "double*, ", "Pi", "int*, ", "f", "float, ",
	"d", "double, ", "i", "int, ")

// prototype declares a function of libclc, whose result has the type of its first parameter.
func prototype(name string) string {
	length := 0
	rest := strings.TrimPrefix(name, "_Z")
	fmt.Sscanf(rest, "%d", &length)
	rest = strings.TrimLeft(rest, "0123456789")[length:]
	params := strings.TrimSuffix(types.Replace(rest), ", ")
	result, _, _ := strings.Cut(params, ",")
	if strings.HasPrefix(name, "_Z5ilogb") {
		result = "int"
	}
	return fmt.Sprintf("%s %s(%s);", result, name, params)
}
