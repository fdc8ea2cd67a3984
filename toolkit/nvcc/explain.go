package nvcc

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"jacquard/toolkit/ptxas"
)

// advice maps messages of ptxas to advice.
var advice = []struct {
	says *regexp.Regexp
	todo string
	// never says that no device of the generation and no later one that is simulated has it, so PTX is
	// of no use either.
	never bool
}{
	{regexp.MustCompile(`function \S*surf\w*(read|write)\S* has no body`),
		"surfaces are not supported: read by a texture, and write to global memory", true},
	{regexp.MustCompile(`bytes of parameters`), "pass a pointer to a copy in global or constant memory", false},
	{regexp.MustCompile(`of shared memory`), "take less of it for a block, or global memory", false},
	{regexp.MustCompile(`of local memory`), "take smaller arrays, or global memory", false},
	{regexp.MustCompile(`texture references`), "use fewer textures in a kernel", false},
	{regexp.MustCompile(`has no body`), "define the function in the same file: each is compiled as a whole program", false},
}

// mistake is one of ptxas, in the terms of the source.
type mistake struct {
	text  string
	never bool
}

// mistakes are all of a step.
type mistakes []mistake

// never reports whether PTX would be of no use either.
func (list mistakes) never() bool {
	return slices.ContainsFunc(list, func(m mistake) bool { return m.never })
}

// error returns the mistakes as ptxas would.
func (list mistakes) error() error {
	said := &ptxas.Error{}
	for _, m := range list {
		said.Lines = append(said.Lines, m.text)
	}
	return said
}

// explain puts what ptxas says of the PTX of a source in the terms of the source: each mistake with
// the kernel, its line and what to do. A source that is PTX is "": its own lines stay. It returns nil
// for another error.
func explain(err error, source string) (list mistakes) {
	var said *ptxas.Error
	if !errors.As(err, &said) {
		return nil
	}
	for _, line := range said.Lines {
		m := mistake{text: line}
		if found := placed.FindStringSubmatch(line); found != nil && source != "" {
			m.text = about(found).in(source) + found[3]
		}
		for _, a := range advice {
			if a.says.MatchString(line) {
				m.text, m.never = m.text+": "+a.todo, a.never
				break
			}
		}
		list = append(list, m)
	}
	return list
}

// placed is a line of ptxas with a place in PTX.
var placed = regexp.MustCompile(`^(.+):(\d+):\d+: (.*)$`)

// inKernel finds the kernel that a message names.
var inKernel = regexp.MustCompile(` in kernel ([\w$]+)$`)

// about returns the subject of a placed message.
func about(found []string) symbol {
	if m := inKernel.FindStringSubmatch(found[3]); m != nil {
		return symbol{"kernel", m[1]}
	}
	n, _ := strconv.Atoi(found[2])
	return symbolAt(found[1], n)
}

// symbol is a kernel or a function in PTX; its name is "" outside of any.
type symbol struct{ kind, name string }

// started finds where a kernel or a function begins in PTX.
var started = regexp.MustCompile(`^(?:\.\w+\s+)*\.(entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)`)

// symbolAt returns the symbol that a line of PTX belongs to.
func symbolAt(file string, line int) (in symbol) {
	text, err := os.ReadFile(file)
	if err != nil {
		return in
	}
	n := 0
	for l := range bytes.Lines(text) {
		if n++; n > line {
			break
		}
		if l[0] == '}' {
			in = symbol{}
		}
		if m := started.FindSubmatch(l); m != nil {
			in = symbol{map[string]string{"entry": "kernel", "func": "function"}[string(m[1])], string(m[2])}
		}
	}
	return in
}

// in begins a message about a symbol with its place in a source: the place of a definition of that
// name, if there is one alone.
func (s symbol) in(source string) string {
	if s.name == "" {
		return source + ": "
	}
	name := plainName(s.name)
	text, _ := os.ReadFile(source)
	found := regexp.MustCompile(`\b(?:__global__|__device__)\b[^;{}]*?\b`+regexp.QuoteMeta(name)+`\s*\(`).FindAllIndex(text, 2)
	if len(found) != 1 {
		return fmt.Sprintf("%s: %s %s: ", source, s.kind, name)
	}
	line := 1 + bytes.Count(text[:found[0][1]], []byte("\n"))
	return fmt.Sprintf("%s:%d: %s %s: ", source, line, s.kind, name)
}

// plainName returns the last name in a name that C++ has encoded, without parameters.
func plainName(encoded string) string {
	rest, ok := strings.CutPrefix(encoded, "_Z")
	if !ok {
		return encoded
	}
	rest, nested := strings.CutPrefix(rest, "N")
	rest = strings.TrimPrefix(rest, "L")
	name := encoded
	for {
		word, after := identifier(rest)
		switch {
		case word != "":
			name, rest = word, after
		case nested && strings.HasPrefix(rest, "I"):
			rest = afterArguments(rest)
		default:
			return name
		}
		if !nested {
			return name
		}
	}
}

var length = regexp.MustCompile(`^\d+`)

// identifier returns the name that a text begins with, behind its length, and what follows.
func identifier(text string) (name, rest string) {
	digits := length.FindString(text)
	n, err := strconv.Atoi(digits)
	if err != nil || len(digits)+n > len(text) {
		return "", text
	}
	return text[len(digits) : len(digits)+n], text[len(digits)+n:]
}

// afterArguments returns what follows the arguments of a template. Names and numbers in them may have
// any letters.
func afterArguments(text string) string {
	for depth := 0; text != ""; {
		if word, rest := identifier(text); word != "" {
			text = rest
			continue
		}
		switch text[0] {
		case 'L':
			_, text, _ = strings.Cut(text, "E")
			continue
		case 'I', 'N', 'J', 'X':
			depth++
		case 'E':
			depth--
		}
		if text = text[1:]; depth == 0 {
			return text
		}
	}
	return ""
}
