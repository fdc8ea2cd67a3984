package lab

import (
	"fmt"
	"strings"
)

// Together returns the source of one program that runs any of the given programs: the one whose name
// is its argument. One compilation for many is far faster than many. Each program is included from
// its file, in a namespace of its own, so its lines stay what they are. Compile the source with the
// laboratory's folder among the include paths.
func Together(programs []*Program) string {
	var s strings.Builder
	fmt.Fprintf(&s, "#include \"lab.h\"\n#include <string.h>\n")
	for _, p := range programs {
		fmt.Fprintf(&s, "namespace %s {\n#include \"%s.cu\"\n}\n", p.namespace(), p.Name)
	}
	fmt.Fprintf(&s, "int main(int argc, char **argv) {\n")
	for _, p := range programs {
		fmt.Fprintf(&s, "\tif (!strcmp(argv[1], %q))\n\t\treturn %s::main();\n", p.Name, p.namespace())
	}
	fmt.Fprintf(&s, "\treturn 255;\n}\n")
	return s.String()
}

func (p *Program) namespace() string {
	return strings.ReplaceAll(p.Name, "/", "_")
}
