package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a package or a type holds at most, unless large.txt says otherwise.
const (
	mostFiles   = 35
	mostFields  = 15
	mostMethods = 30
)

// byHand calls do for every Go file outside tests that no generator writes.
func byHand(t *testing.T, do func(path string)) {
	t.Helper()
	seen := false
	require.NoError(t, walk("../..", func(path string) error {
		name := filepath.Base(path)
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !strings.HasSuffix(name, "_gen.go") {
			seen = true
			do(path)
		}
		return nil
	}))
	require.True(t, seen)
}

// No package has more files, and no type more fields or methods, than large.txt allows. Where there
// are fewer now, the list says so.
func TestNothingGrowsLarge(t *testing.T) {
	list, err := os.ReadFile("large.txt")
	require.NoError(t, err)
	allowed := map[string]int{}
	for line := range strings.Lines(string(list)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		var what, name string
		var n int
		_, err := fmt.Sscan(line, &what, &name, &n)
		require.NoError(t, err, line)
		require.Zero(t, allowed[what+" "+name], "%s %s stands there twice", what, name)
		allowed[what+" "+name] = n
	}
	found := map[string]int{}
	count := func(what string, most int, sizes map[string]int) {
		for name, n := range sizes {
			if key := what + " " + name; n > most {
				found[key] = n
			}
		}
	}
	files := map[string]int{}
	byHand(t, func(path string) { files[strings.TrimPrefix(filepath.Dir(path), "../../")]++ })
	fields, methods := sizes(t)
	count("files", mostFiles, files)
	count("fields", mostFields, fields)
	count("methods", mostMethods, methods)
	require.NotEmpty(t, found)
	for key, n := range found {
		require.LessOrEqual(t, n, allowed[key], "%s: part it", key)
	}
	for key, n := range allowed {
		require.Equal(t, n, found[key], "%s: write the number that there is into large.txt, or take the line out", key)
	}
}

// sizes returns how many fields and methods every type has.
func sizes(t *testing.T) (fields, methods map[string]int) {
	fields, methods = map[string]int{}, map[string]int{}
	fset := token.NewFileSet()
	byHand(t, func(path string) {
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		prefix := strings.TrimPrefix(filepath.Dir(path), "../../") + "."
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					methods[prefix+receiver(d.Recv.List[0].Type)]++
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						if st, ok := s.Type.(*ast.StructType); ok {
							fields[prefix+s.Name.Name] = countFields(st)
						}
					}
				}
			}
		}
	})
	return fields, methods
}

// receiver returns the name of a method's type.
func receiver(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		default:
			return e.(*ast.Ident).Name
		}
	}
}

// countFields returns how many fields a struct has; an embedded type is one.
func countFields(st *ast.StructType) (n int) {
	for _, f := range st.Fields.List {
		n += max(1, len(f.Names))
	}
	return n
}

// selection is a test command of the Makefile or of .ci that runs tests by their names.
var selection = regexp.MustCompile(`test [^\n]*?-run '?([^' ]+)'? ([^\n]*)`)

// Tests that are run by their names are there: every package named beside the names has such a test.
func TestNamedTestsExist(t *testing.T) {
	recipes, err := filepath.Glob("../../.ci/*")
	require.NoError(t, err)
	seen := 0
	for _, recipe := range append(recipes, "../../Makefile") {
		text, err := os.ReadFile(recipe)
		require.NoError(t, err)
		for _, m := range selection.FindAllStringSubmatch(string(text), -1) {
			names := regexp.MustCompile(strings.ReplaceAll(m[1], "$$", "$"))
			for _, dir := range strings.Fields(m[2]) {
				if !strings.HasPrefix(dir, "./") || names.MatchString("") {
					continue
				}
				seen++
				require.True(t, slices.ContainsFunc(testsOf(t, dir), names.MatchString), "%s: %s has no test called %s", recipe, dir, m[1])
			}
		}
	}
	require.Greater(t, seen, 20)
}

// testsOf returns the names of the tests in a folder of the project.
func testsOf(t *testing.T, dir string) (names []string) {
	files, err := filepath.Glob(filepath.Join("../..", dir, "*_test.go"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(text, -1) {
			names = append(names, string(m[1]))
		}
	}
	return names
}

// withoutExample are packages that a program cannot call: entry points in C, interfaces, and tests.
var withoutExample = map[string]bool{"libcuda": true, "simt/engine": true, "internal/test/clang": true, "internal/test/headers": true,
	"internal/test/cases": true, "internal/test/idioms": true}

// Every package has a doc.go and an example. A command has its help instead.
func TestPackagesHaveExamples(t *testing.T) {
	packages := map[string]bool{}
	byHand(t, func(path string) { packages[filepath.Dir(path)] = true })
	require.Greater(t, len(packages), 80)
	for dir := range packages {
		if strings.HasPrefix(dir, "../") {
			continue
		}
		require.FileExists(t, filepath.Join(dir, "doc.go"))
		if name, _ := filepath.Rel("../..", dir); withoutExample[name] {
			continue
		}
		tests, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		require.NoError(t, err)
		require.True(t, slices.ContainsFunc(tests, func(path string) bool {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			return bytes.Contains(text, []byte("\nfunc Example"))
		}), "%s has no example", dir)
	}
}
