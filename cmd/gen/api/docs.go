package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"jacquard/libcuda/api"
)

// printDocs prints the table of calls, for users.
func printDocs(b *bytes.Buffer, m *model) {
	fmt.Fprintf(b, "<!-- %s -->\n", banner)
	b.WriteString(`# Driver calls

` + "`libcuda.so.1`" + ` exports every symbol below and no other. A call that is not supported
answers ` + "`CUDA_ERROR_NOT_SUPPORTED`" + ` (801) and names itself once on standard error. Priority 1 is what
nearly all programs use; 2 is what samples, language bindings and the runtime library use; 3 is the
rest.

`)
	fmt.Fprintf(b, "| priority | works | not supported |\n|---|---|---|\n")
	for priority := 1; priority <= 3; priority++ {
		var works, all int
		for _, f := range m.Functions {
			if f.Priority == priority {
				all++
				if m.servers[f.Symbol] != "" {
					works++
				}
			}
		}
		fmt.Fprintf(b, "| %d | %d | %d |\n", priority, works, all-works)
	}
	groups := map[string][]api.Function{}
	for _, f := range m.Functions {
		groups[f.Group] = append(groups[f.Group], f)
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		fmt.Fprintf(b, "\n## %s\n\n| symbol | since | priority | state |\n|---|---|---|---|\n", name)
		for _, f := range groups[name] {
			state := "not supported"
			if m.servers[f.Symbol] != "" {
				state = "works"
			}
			fmt.Fprintf(b, "| %s | %s | %d | %s |\n", f.Symbol, f.Since, f.Priority, state)
		}
	}
}
