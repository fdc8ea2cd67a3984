package probe_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/board/probe"
)

const root = "../.."

var (
	mark   = regexp.MustCompile(`(?m)^.*(//|#).*\bUnverified:`)
	quoted = regexp.MustCompile("`([^`]+)`")
)

// docs/exactness.md names every probe and no other, and says of every place with a mark what would
// settle it.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs/exactness.md"))
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(page), "## What a board would settle\n")
	require.True(t, ok)
	var probes, files []string
	for _, m := range quoted.FindAllStringSubmatch(section, -1) {
		switch word := m[1]; {
		case strings.Contains(word, "/") && !strings.Contains(word, " "):
			files = append(files, word)
		case probe.Find(word) != nil:
			probes = append(probes, word)
		}
	}
	var want []string
	for _, p := range probe.All() {
		want = append(want, p.Name)
	}
	require.ElementsMatch(t, want, probes)
	files = unique(files)
	require.Subset(t, files, marked(t), "a file has a mark: say in cmd/gen/isagen/questions.md what would settle it, and go generate")
	require.Subset(t, marked(t), files, "a file that the page names has no mark any more")
}

func unique(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// marked returns the files whose code says that something is not verified.
func marked(t *testing.T) (files []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != root || path == filepath.Join(root, "build") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		ext := filepath.Ext(path)
		if d.IsDir() || ext != ".go" && ext != ".isa" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if mark.Match(text) {
			name, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			files = append(files, name)
		}
		return nil
	})
	require.NoError(t, err)
	return files
}
