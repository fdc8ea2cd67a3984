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

// The race detector runs some tests by their names: every package named there has such a test.
func TestRacingTestsExist(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	line := regexp.MustCompile(`(?m)^racing = .* -run '([^']+)' (.*)$`).FindSubmatch(makefile)
	require.NotNil(t, line, "the Makefile has no line \"racing = ... -run 'NAMES' PACKAGES\"")
	selected := regexp.MustCompile(strings.ReplaceAll(string(line[1]), "$$", "$"))
	for _, dir := range strings.Fields(string(line[2])) {
		files, err := filepath.Glob(filepath.Join("../..", dir, "*_test.go"))
		require.NoError(t, err)
		found := false
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, name := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(text, -1) {
				found = found || selected.Match(name[1])
			}
		}
		require.True(t, found, "%s has no test that the race detector runs", dir)
	}
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
