package lab

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/findings"
)

// block is a block of code in a page.
var block = regexp.MustCompile("(?s)```\n(.*?)```")

// bug is one of the bugs that docs/check.md shows.
type bug struct {
	name, kernel string
	head         string   // of the report: the first words
	places       []string // the lines of source in the report
}

// readBugs reads the bugs, and the main function of all.
func readBugs(t *testing.T) (list []bug, main string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs/check.md"))
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(text), "\n## Seven bugs\n")
	require.True(t, ok)
	section, _, _ := strings.Cut(rest, "\n## ")
	parts := strings.Split(section, "\n### ")
	for i, part := range parts {
		blocks := block.FindAllStringSubmatch(part, -1)
		if i == 0 {
			require.Len(t, blocks, 2) // the commands come first
			main = blocks[1][1]
			continue
		}
		require.Len(t, blocks, 2, part)
		shown := strings.Split(strings.TrimSuffix(blocks[1][1], "\n"), "\n")
		name, _, _ := strings.Cut(part, "\n")
		list = append(list, bug{name, blocks[0][1], strings.TrimSuffix(shown[0], " ..."), shown[1:]})
	}
	return list, main
}

// TestBugs compiles the bugs that the page shows, and checks them: each report has one error, which is
// as the page has it.
func TestBugs(t *testing.T) {
	list, main := readBugs(t)
	require.Len(t, list, 7)
	nvcc, err := filepath.Abs(filepath.Join(root, "build/toolkit/bin/nvcc"))
	require.NoError(t, err)
	if _, err := os.Stat(nvcc); err != nil {
		t.Skip("no build/toolkit/bin/nvcc: make toolkit builds it")
	}
	for _, b := range list {
		t.Run(b.name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "bug.cu"), []byte(b.kernel+"\n"+main), 0o666))
			compile := exec.Command(nvcc, "-arch=sm_13", "-lineinfo", "-g", "-o", "bug", "bug.cu")
			compile.Dir = dir
			out, err := compile.CombinedOutput()
			require.NoError(t, err, "%s", out)
			path := filepath.Join(dir, "found.jsonl")
			_, status := run(t, filepath.Join(dir, "bug"), b.name, "JACQUARD_CHECK=all", "JACQUARD_CHECK_REPORT="+path)
			require.Zero(t, status)
			r, err := findings.Read(path)
			require.NoError(t, err)
			sources := findings.Sources{Folder: dir}
			r.Branches(&sources)
			r.ByLine()
			require.Equal(t, 1, r.Errors())
			var text strings.Builder
			require.NoError(t, r.Text(&text, &findings.Text{Sources: sources}))
			require.True(t, strings.HasPrefix(text.String(), b.head), text.String())
			var places []string
			for line := range strings.Lines(text.String()) {
				if strings.HasPrefix(line, "    bug.cu:") {
					places = append(places, strings.TrimSuffix(line, "\n"))
				}
			}
			require.Equal(t, b.places, places)
		})
	}
}
