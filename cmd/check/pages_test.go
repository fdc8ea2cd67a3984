package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// generated is a part of a page that a command writes.
var generated = regexp.MustCompile("(?ms)^<!-- (Code generated|figures).*?^<!-- [Ee]nd")

var source = regexp.MustCompile("`([\\w/.-]+/[\\w.-]+\\.(?:go|c|h|csv|txt|isa|md))`")

// Files that pages name are there. What commands write may name files of other repositories.
func TestPagesNameFiles(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	for _, path := range append(pages, "../../README.md", "../../CONTRIBUTING.md") {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, m := range source.FindAllStringSubmatch(generated.ReplaceAllString(string(text), ""), -1) {
			_, here := os.Stat(filepath.Join("../..", m[1]))
			_, below := os.Stat(filepath.Join(filepath.Dir(path), m[1]))
			require.True(t, here == nil || below == nil, "%s: there is no %s", path, m[1])
		}
	}
}

var (
	entry = regexp.MustCompile(`(?m)^\| ([^|]+) \| ([^|]+) \|$`)
	named = regexp.MustCompile("\\(`(\\w+)\\.(\\w+)`\\)")
	own   = regexp.MustCompile(`(?s)\nMost words are the field's\. These are this project's own: (.+?)\.\n`)
)

// mostOwn bounds the words that a reader knows from nowhere else.
const mostOwn = 25

// types returns the types of all packages, as package.Type.
func types(t *testing.T, root string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	require.NoError(t, walk(root, func(path string) error {
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				for _, s := range g.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						found[f.Name.Name+"."+s.Name.Name] = true
					}
				}
			}
		}
		return nil
	}))
	return found
}

// The glossary defines each word once, in one sentence, and the types that it names are there. The
// project has few words of its own.
func TestGlossary(t *testing.T) {
	text, err := os.ReadFile("../../docs/glossary.md")
	require.NoError(t, err)
	list := own.FindSubmatch(text)
	require.NotNil(t, list, "docs/glossary.md does not list the project's own words")
	words := strings.Split(strings.Join(strings.Fields(string(list[1])), " "), ", ")
	require.LessOrEqual(t, len(words), mostOwn, "the field has a word for most things: use it")
	for _, word := range words {
		require.Contains(t, string(text), "\n| "+word+" |", "docs/glossary.md does not define %s", word)
	}
	known, defined := types(t, "../.."), map[string]bool{}
	for _, m := range entry.FindAllStringSubmatch(string(text), -1) {
		word, means := m[1], m[2]
		if word == "word" || strings.HasPrefix(word, "---") {
			continue
		}
		require.False(t, defined[word], "%s is defined twice", word)
		defined[word] = true
		require.Regexp(t, `^[A-Z0-9].*\.$`, means, word)
		for _, n := range named.FindAllStringSubmatch(means, -1) {
			require.True(t, known[n[1]+"."+n[2]], "docs/glossary.md: %s: there is no type %s.%s", word, n[1], n[2])
		}
	}
	require.NotEmpty(t, defined)
}

// The map has every package, except parts of packages that it shows, and no others.
func TestMap(t *testing.T) {
	page, err := os.ReadFile("../../docs/architecture.md")
	require.NoError(t, err)
	_, table, ok := strings.Cut(string(page), "\n## The packages\n")
	require.True(t, ok)
	table, _, _ = strings.Cut(table, "\nThe parts of `simt`")
	var shown []string
	for _, line := range strings.Split(table, "\n") {
		columns := strings.Split(line, " | ")
		if len(columns) != 3 || !strings.Contains(columns[1], "`") {
			continue
		}
		for _, name := range strings.Split(columns[1], ", ") {
			name = strings.Trim(name, "`")
			shown = append(shown, name)
			require.DirExists(t, filepath.Join("../..", name), "docs/architecture.md shows a package that there is not")
		}
	}
	packages, err := list("../..")
	require.NoError(t, err)
	wings := []string{"study", "observe", "board", "simt", "simt/engine", "libcuda", "libcuda/driver", "ptx", "toolkit"}
	for _, p := range packages {
		name := local(p.ImportPath)
		parent := filepath.Dir(name)
		require.True(t, slices.Contains(shown, name) || !slices.Contains(wings, parent) &&
			slices.ContainsFunc(shown, func(s string) bool { return below(s, name) }), "docs/architecture.md does not show package %s", name)
	}
}

// The table of the C programs has one row per program.
func TestProgramsAreListed(t *testing.T) {
	const folder = "../../testdata/c"
	page, err := os.ReadFile(filepath.Join(folder, "README.md"))
	require.NoError(t, err)
	var listed, there []string
	for _, m := range regexp.MustCompile(`(?m)^\| (\S+\.c) \|`).FindAllSubmatch(page, -1) {
		listed = append(listed, string(m[1]))
	}
	paths, err := filepath.Glob(filepath.Join(folder, "*.c"))
	require.NoError(t, err)
	for _, path := range paths {
		there = append(there, filepath.Base(path))
	}
	require.NotEmpty(t, there)
	require.ElementsMatch(t, there, listed)
}

// pageWidth bounds the lines of pages, in characters.
const pageWidth = 100

// wide finds the parts of pages that have no bound: what a terminal shows, and tables.
var wide = []*regexp.Regexp{
	fenced,
	regexp.MustCompile(`(?m)^\|.*$`),
}

// Lines of pages fit into a window, so that changes can be read.
func TestPagesFit(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	require.Greater(t, len(pages), 10)
	notes, err := filepath.Glob("../../docs/design/*.md")
	require.NoError(t, err)
	for _, below := range []string{"*", "*/*"} {
		more, err := filepath.Glob("../../testdata/" + below + "/*.md")
		require.NoError(t, err)
		notes = append(notes, more...)
	}
	for _, path := range slices.Concat(pages, notes, []string{"../../README.md", "../../CONTRIBUTING.md", "../../CHANGELOG.md"}) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		page := string(text)
		for _, part := range wide {
			page = part.ReplaceAllStringFunc(page, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
		}
		for i, line := range strings.Split(page, "\n") {
			require.LessOrEqual(t, utf8.RuneCountInString(line), pageWidth, "%s:%d: %s", path, i+1, line)
		}
	}
}

// Comments of code fit into 100 columns. What examples print is as wide as it is.
func TestCommentsFit(t *testing.T) {
	seen := 0
	require.NoError(t, walk("../..", func(path string) error {
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "example_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || mark.Match(text) {
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			if words, ok := strings.CutPrefix(strings.TrimSpace(line), "// "); ok {
				seen++
				require.LessOrEqual(t, utf8.RuneCountInString(words), pageWidth, "%s:%d: %s", path, i+1, line)
			}
		}
		return nil
	}))
	require.Greater(t, seen, 10000)
}
