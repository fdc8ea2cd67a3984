package options

import (
	"fmt"
	"io"
)

// Help prints the options of a tool, in the order of its table.
func (t Table) Help(w io.Writer) {
	for _, o := range t {
		line := "--" + o.Long
		if o.Kind != Flag {
			line += " " + o.Value
		}
		if o.Short != "" {
			line += "  (-" + o.Short + ")"
		}
		fmt.Fprintf(w, "  %s\n        %s\n", line, o.Help)
	}
}
