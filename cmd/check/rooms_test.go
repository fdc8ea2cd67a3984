package main

import (
	"bytes"
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

// What a package or a type holds at most without a reason.
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

// A package of many files says why, in its doc.go.
func TestPackagesAreRooms(t *testing.T) {
	files := map[string]int{}
	byHand(t, func(path string) { files[filepath.Dir(path)]++ })
	for dir, n := range files {
		if n <= mostFiles {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, "doc.go"))
		require.NoError(t, err)
		require.Contains(t, string(text), "Many files: ", "%s has %d files and does not say why", dir, n)
	}
}

// A type of many fields or methods says why, in its comment.
func TestTypesAreSmall(t *testing.T) {
	fields, methods, comments := map[string]int{}, map[string]int{}, map[string]string{}
	fset := token.NewFileSet()
	byHand(t, func(path string) {
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		require.NoError(t, err)
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					methods[filepath.Join(filepath.Dir(path), receiver(d.Recv.List[0].Type))]++
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						name := filepath.Join(filepath.Dir(path), s.Name.Name)
						comments[name] = d.Doc.Text() + s.Doc.Text()
						if st, ok := s.Type.(*ast.StructType); ok {
							fields[name] = countFields(st)
						}
					}
				}
			}
		}
	})
	for name, n := range fields {
		if n > mostFields && !strings.Contains(comments[name], "Many fields: ") {
			t.Errorf("%s has %d fields and does not say why", name, n)
		}
	}
	for name, n := range methods {
		if n > mostMethods && !strings.Contains(comments[name], "Many methods: ") {
			t.Errorf("%s has %d methods and does not say why", name, n)
		}
	}
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
