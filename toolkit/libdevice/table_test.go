package libdevice_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/toolkit/libdevice"
)

// table has the types of all functions.
func table() map[string]string {
	all := map[string]string{}
	for _, f := range libdevice.Functions() {
		all[f.Name] = f.Result + "(" + strings.Join(f.Params, ", ") + ")"
	}
	return all
}

// The table has the functions of clang 19, no other and each once.
func TestComplete(t *testing.T) {
	text, err := os.ReadFile("testdata/declared.txt")
	require.NoError(t, err)
	declared := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if name, types, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name != "#" {
			declared[name] = types
		}
	}
	require.Len(t, libdevice.Functions(), len(declared))
	require.Equal(t, declared, table())
}

var (
	declaration = regexp.MustCompile(`__DEVICE__\s+([\w ]+?)\s*(__nv_\w+)\(([^)]*)\);`)
	parameter   = regexp.MustCompile(`\s*__\w+$`)
	space       = regexp.MustCompile(`\s+`)
)

// signed forgets the signs of types, in which the releases of clang differ.
var signed = strings.NewReplacer("uint", "int", "ullong", "llong")

// typeOf returns a type of clang's header as the table has it.
func typeOf(s string) string {
	s = parameter.ReplaceAllString(strings.TrimSpace(s), "")
	s = space.ReplaceAllString(strings.TrimSpace(s), " ")
	return strings.NewReplacer(" *", "*", "unsigned long long", "ullong", "long long", "llong",
		"unsigned int", "uint", "unsigned short", "ushort", "signed char", "char").Replace(s)
}

// The table has every function that the headers of clang on this machine declare.
func TestHeaders(t *testing.T) {
	const header = "__clang_cuda_libdevice_declares.h"
	headers, err := filepath.Glob("/usr/lib/llvm-*/lib/clang/*/include/" + header)
	require.NoError(t, err)
	if len(headers) == 0 {
		t.Skip("no clang in /usr/lib/llvm-*: apt-get install clang-19")
	}
	known := table()
	for _, header := range headers {
		text, err := os.ReadFile(header)
		require.NoError(t, err)
		found := declaration.FindAllStringSubmatch(string(text), -1)
		require.Greater(t, len(found), 300, header)
		for _, d := range found {
			var params []string
			for p := range strings.SplitSeq(d[3], ",") {
				params = append(params, typeOf(p))
			}
			types := typeOf(d[1]) + "(" + strings.Join(params, ", ") + ")"
			require.Equal(t, signed.Replace(known[d[2]]), signed.Replace(types), "%s: %s", header, d[2])
		}
	}
}

// Every function that the table places in a file is there.
func TestFiles(t *testing.T) {
	texts := map[string]string{}
	for _, f := range libdevice.Functions() {
		if !f.InFile() {
			continue
		}
		if texts[f.Body] == "" {
			text, err := os.ReadFile("source/" + f.Body)
			require.NoError(t, err)
			texts[f.Body] = string(text)
		}
		// Macros make some names of a part of the name.
		name := strings.TrimPrefix(f.Name, "__nv_")
		if strings.HasPrefix(name, "v") {
			name = strings.TrimRight(strings.TrimPrefix(strings.TrimPrefix(name[1:], "cmp"), "set"), "24")
		}
		require.Contains(t, texts[f.Body], name, f.Name)
	}
	require.Greater(t, len(texts), 8)
}

// The bitcode defines the functions of the table, and needs no other.
func TestBitcode(t *testing.T) {
	const bitcode = "../../build/toolkit/nvvm/libdevice/libdevice.10.bc"
	if _, err := os.Stat(bitcode); err != nil {
		t.Skip(`no libdevice.10.bc: "make libdevice" builds it`)
	}
	nm, err := exec.LookPath("llvm-nm-19")
	if err != nil {
		t.Skip("no llvm-nm-19: apt-get install llvm-19")
	}
	text, err := exec.Command(nm, "--extern-only", "--format=posix", bitcode).Output()
	require.NoError(t, err)
	defined := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if strings.HasPrefix(words[0], "llvm.") {
			continue
		}
		require.Equal(t, "T", words[1], words[0])
		defined[words[0]] = true
	}
	for name := range table() {
		require.True(t, defined[name], name)
	}
	require.Len(t, defined, len(table()))
}
