package csmith

import (
	_ "embed"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
)

//go:embed runtime.h
var runtime string

// shapes are the options by which programs stay small, and differ. Packed structures are left out:
// csmith takes addresses of their fields.
var shapes = []string{
	"--max-funcs 4 --max-block-depth 3",
	"--max-funcs 6 --max-block-depth 4 --max-block-size 3",
	"--max-funcs 3 --max-block-depth 3 --no-volatiles --max-expr-complexity 14",
	"--max-funcs 5 --max-block-depth 3 --max-block-size 5 --no-unions --max-pointer-depth 3",
	"--max-funcs 8 --max-block-depth 2 --max-array-dim 2 --no-longlong",
	"--max-funcs 4 --max-block-depth 5 --max-block-size 2 --max-struct-fields 5",
}

// Words is how many words a program writes: the checksum, the number of values, and the checksum
// after each of the first values.
const Words = 1024

// Generate returns the programs of some seeds as one text for both sides. For the device it has
// the kernels k0, k1 and so on; their parameter points to [Words] words. For the host it is a
// program that takes a number and prints the words of that program.
func Generate(seeds ...uint64) (string, error) {
	var all, choices strings.Builder
	all.WriteString(runtime)
	for i, seed := range seeds {
		args := "--lang-cpp --no-argc --no-packed-struct --quiet --concise " + shapes[seed%uint64(len(shapes))]
		text, err := exec.Command("csmith", strings.Fields(args+fmt.Sprintf(" --seed %d", seed))...).Output()
		if err != nil {
			return "", fmt.Errorf("csmith: %w", err)
		}
		fmt.Fprintf(&all, "/* Seed %d */\nnamespace p%d {\n%s\nKERNEL(k%d)\n}\n", seed, i, adapt(string(text)), i)
		fmt.Fprintf(&choices, " p%d::program,", i)
	}
	fmt.Fprintf(&all, "MAIN(%s)\n", choices.String())
	return all.String(), nil
}

var (
	global = regexp.MustCompile(`(?m)^static `)
	assign = regexp.MustCompile(`(?m)^( +)((?:volatile )?(?:struct|union) \w+& operator=)`)
	entry  = regexp.MustCompile(`(?m)^int main *\(void\)`)
	header = regexp.MustCompile(`(?m)^#include "csmith.h"$`)
)

// adapt makes all functions and variables of a program device functions and variables.
func adapt(text string) string {
	text = header.ReplaceAllLiteralString(text, "")
	text = global.ReplaceAllString(text, "DEVICE static ")
	text = assign.ReplaceAllString(text, "${1}DEVICE $2")
	return entry.ReplaceAllString(text, "DEVICE static int program(void)")
}
