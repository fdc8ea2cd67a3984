package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

var (
	fenced  = regexp.MustCompile("(?ms)^```.*?^```")
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.*?) *$`)
	link    = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	cited   = regexp.MustCompile(`[\w./-]+\.md\b`)
	section = regexp.MustCompile(`(docs/isa/\w+\.md), ([^\n]*)`)
)

// headings returns the headings of a page by their anchors.
func headings(page string) map[string]string {
	found := map[string]string{}
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(page, ""), -1) {
		anchor := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, m[1])
		base := anchor
		for n := 1; found[anchor] != ""; n++ {
			anchor = base + "-" + strconv.Itoa(n)
		}
		found[anchor] = m[1]
	}
	return found
}

// deadLinks returns the relative links of a page that lead nowhere.
func deadLinks(t *testing.T, path string) (dead []string) {
	t.Helper()
	page, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(string(page), ""), -1) {
		if strings.Contains(m[1], ":") {
			continue
		}
		file, anchor, _ := strings.Cut(m[1], "#")
		target := path
		if file != "" {
			target = filepath.Join(filepath.Dir(path), file)
		}
		if _, err := os.Stat(target); err != nil {
			dead = append(dead, path+": "+m[1])
			continue
		}
		if anchor == "" {
			continue
		}
		text, err := os.ReadFile(target)
		require.NoError(t, err)
		if headings(string(text))[anchor] == "" {
			dead = append(dead, path+": "+m[1])
		}
	}
	return dead
}

// deadCitations returns the pages that a text in folder dir names and that do not exist, and the
// sections that pages of docs/isa lack. A page named without a folder may be in any folder.
func deadCitations(t *testing.T, root, dir, text string, anywhere map[string]bool) (dead []string) {
	t.Helper()
	for _, name := range cited.FindAllString(text, -1) {
		_, here := os.Stat(filepath.Join(dir, name))
		_, there := os.Stat(filepath.Join(root, name))
		if here != nil && there != nil && !anywhere[name] {
			dead = append(dead, name)
		}
	}
	for _, m := range section.FindAllStringSubmatch(text, -1) {
		page, err := os.ReadFile(filepath.Join(root, m[1]))
		known := false
		for _, h := range headings(string(page)) {
			known = known || strings.HasPrefix(m[2], h)
		}
		if err != nil || !known {
			dead = append(dead, m[0])
		}
	}
	return dead
}

// Relative links of pages lead to files and headings that there are.
func TestLinks(t *testing.T) {
	var dead []string
	pages := 0
	require.NoError(t, walk("../..", func(path string) error {
		if filepath.Ext(path) == ".md" {
			pages++
			dead = append(dead, deadLinks(t, path)...)
		}
		return nil
	}))
	require.Greater(t, pages, 30)
	require.Empty(t, dead)
}

// Comments name pages that there are.
func TestCitations(t *testing.T) {
	const root = "../.."
	anywhere := map[string]bool{}
	require.NoError(t, walk(root, func(path string) error {
		anywhere[filepath.Base(path)] = true
		return nil
	}))
	var dead []string
	look := func(path, text string) {
		for _, d := range deadCitations(t, root, filepath.Dir(path), text, anywhere) {
			dead = append(dead, path+": "+d)
		}
	}
	require.NoError(t, walk(root, func(path string) error {
		switch filepath.Ext(path) {
		case ".isa":
			text, err := os.ReadFile(path)
			look(path, string(text))
			return err
		case ".go":
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, c := range f.Comments {
				look(path, strings.Join(strings.Fields(c.Text()), " "))
			}
		}
		return nil
	}))
	require.Empty(t, dead)
}

func TestDeadLinks(t *testing.T) {
	root := write(t, map[string]string{
		"a.md":          "# One `two`\n[b](docs/b.md#three-4) [no](docs/c.md) [self](#one-two) [web](http://x/y.md)\n```\n[code](z.md)\n```\n",
		"docs/b.md":     "## Three, 4\n## Three, 4\n[up](../a.md#nothing) [again](#three-4-1)\n",
		"docs/isa/x.md": "# Alignment\n",
	})
	require.Equal(t, []string{filepath.Join(root, "a.md") + ": docs/c.md"}, deadLinks(t, filepath.Join(root, "a.md")))
	require.Equal(t, []string{filepath.Join(root, "docs/b.md") + ": ../a.md#nothing"}, deadLinks(t, filepath.Join(root, "docs/b.md")))

	text := "see docs/isa/x.md, Alignment; y.md and b.md say more"
	require.Equal(t, []string{"y.md"}, deadCitations(t, root, root, text, map[string]bool{"b.md": true}))
	text = "see docs/isa/x.md, Bounds"
	require.Equal(t, []string{"docs/isa/x.md, Bounds"}, deadCitations(t, root, root, text, nil))
}
