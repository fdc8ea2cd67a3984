package terminal_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/debug/terminal"
	"jacquard/internal/test/stops"
)

var update = flag.Bool("update", false, "rewrite the sessions of testdata")

// Sessions are files of testdata: the lines after the prompt are commands, the others what the
// terminal prints. A first line "wrong" makes the kernel fault, and "names" means
// the kernel with variables.
func TestSessions(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.session")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			var commands []string
			first, _, _ := strings.Cut(string(data), "\n")
			for line := range strings.SplitSeq(string(data), "\n") {
				if c, ok := strings.CutPrefix(line, "(jacquard) "); ok {
					commands = append(commands, c)
				}
			}
			p, err := stops.New(2)
			if first == "names" {
				p, err = stops.NewNames("../..")
			}
			if errors.Is(err, os.ErrNotExist) {
				t.Skip("no build/toolkit/bin/nvcc: make toolkit builds it")
			}
			require.NoError(t, err)
			out := &bytes.Buffer{}
			if first == "names" {
				out.WriteString("names\n")
			}
			if p.Wrong = first == "wrong"; p.Wrong {
				out.WriteString("wrong\n")
			}
			s := &terminal.Terminal{Program: p, In: strings.NewReader(strings.Join(commands, "\n")), Out: out}
			s.Source.Folders = []string{"testdata"}
			require.Zero(t, s.Run(nil, false))
			folder, err := filepath.Abs(filepath.Join("../..", stops.NamesFolder))
			require.NoError(t, err)
			text := strings.ReplaceAll(out.String(), folder+"/", "")
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
				return
			}
			require.Equal(t, string(data), text)
		})
	}
}

func TestBatch(t *testing.T) {
	p, err := stops.New(1)
	require.NoError(t, err)
	out := &bytes.Buffer{}
	s := &terminal.Terminal{Program: p, In: strings.NewReader("help"), Out: out}
	require.Equal(t, 1, s.Run([]string{"brek sum", "run"}, true))
	require.Equal(t, "(jacquard) brek sum\nno command \"brek\": did you mean break?\n", out.String())
}
