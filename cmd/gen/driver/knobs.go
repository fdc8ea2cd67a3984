package main

import (
	"bytes"
	"fmt"
	"strings"
)

func printKnobs(out *bytes.Buffer, rows []row) error {
	for _, r := range rows {
		switch r["type"] {
		case "choice", "choices", "count", "crosscheck", "path", "policy", "record", "stats", "trace":
		default:
			return fmt.Errorf("%s: unknown type %q", r["name"], r["type"])
		}
	}
	fmt.Fprint(out, "// Settings are the values of the knobs, as text. An empty field means the knob's default.\ntype Settings struct {\n")
	for _, r := range rows {
		fmt.Fprintf(out, "\t%s string // %s\n", camel(upper(r["name"])), r["help"])
	}
	fmt.Fprint(out, "}\n\n// field returns the field of s that the knob called name sets, or nil.\nfunc (s *Settings) field(name string) *string {\nswitch name {\n")
	for _, r := range rows {
		fmt.Fprintf(out, "case %q:\nreturn &s.%s\n", r["name"], camel(upper(r["name"])))
	}
	fmt.Fprint(out, "}\nreturn nil\n}\n\n// knobs lists every knob by name.\nvar knobs = [...]Knob{\n")
	for _, r := range rows {
		fmt.Fprintf(out, "{Name: %q, Env: %q, Type: Type%s, Default: %q, ", r["name"], "JACQUARD_"+upper(r["name"]), camel(strings.ToUpper(r["type"])), r["default"])
		if r["values"] != "" {
			fmt.Fprint(out, "Values: []string{")
			for _, v := range strings.Split(r["values"], "|") {
				fmt.Fprintf(out, "%q,", v)
			}
			fmt.Fprint(out, "}, ")
		}
		fmt.Fprintf(out, "Help: %q},\n", r["help"])
	}
	fmt.Fprintln(out, "}")
	return nil
}

// upper returns the name of a knob as a part of its environment variable.
func upper(name string) string { return strings.ToUpper(strings.ReplaceAll(name, "-", "_")) }
