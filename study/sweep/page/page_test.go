package page_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/study"
	"jacquard/study/sweep"
	"jacquard/study/sweep/page"
)

// script takes the place of the tool: a kernel with 8 active lanes, or 16 under tbc, and a fault
// where SIZE is 2.
const script = `#!/bin/sh
n=8; [ "$JACQUARD_POLICY" = tbc ] && n=16
result=CUDA_SUCCESS; [ "$SIZE$JACQUARD_POLICY" = 2tbc ] && result=CUDA_ERROR_ILLEGAL_ADDRESS
lanes=0; i=1; while [ $i -le 32 ]; do [ $i = $n ] && lanes=$lanes,5 || lanes=$lanes,0; i=$((i+1)); done
echo '{"event":"launch","kernel":"k","warp_instructions":5,"divergence":{"active_lanes":['$lanes']},"message":"a <b>fault</b>","result":"'$result'"}' > $JACQUARD_SUMMARY
`

// swept is a study with results of all cells but one.
func swept(t *testing.T) (*study.Study, *sweep.Folder) {
	t.Helper()
	dir := t.TempDir()
	path, tool := filepath.Join(dir, "s.toml"), filepath.Join(dir, "tool")
	require.NoError(t, os.WriteFile(tool, []byte(script), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "k.cubin"), nil, 0o666))
	require.NoError(t, os.WriteFile(path, []byte("[matrix]\npolicy = ['nvidia', 'tbc']\nworkers = [1, 2]\nenvironment = { SIZE = [1, 2] }\n[[run]]\nkernel = 'k.cubin'\nname = 'a<i>'\n"), 0o666))
	s, err := study.Load(path)
	require.NoError(t, err)
	f, err := sweep.Create(filepath.Join(dir, "f"), s, nil)
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	l := &sweep.Local{Runner: sweep.Runner{Folder: f, Dir: dir, Tool: tool, Host: "here"}, Jobs: 2, Ended: func(_ *study.Cell, _ *sweep.Result, err error) {
		require.NoError(t, err)
	}}
	require.NoError(t, l.Run(t.Context(), s.Len()-1, s.Cell))
	return s, f
}

func written(t *testing.T, g *page.Grid) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, g.Write(&out))
	return out.String()
}

func TestPage(t *testing.T) {
	s, f := swept(t)
	g, err := page.New(s, f, page.Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"nvidia", "tbc"}, g.Heads)
	require.Len(t, g.Lines, 1)
	require.Equal(t, 1, g.Missing)
	require.Equal(t, 1, g.BadCount) // the other one has no result
	require.Equal(t, "8.00", g.Lines[0].Panels[0].Text())
	require.Equal(t, 4, g.Lines[0].Panels[0].Cells)
	require.Equal(t, "3 cells, 1 failed or differ, 10 issues", g.Lines[0].Panels[1].Title())
	text := written(t, g)
	require.Equal(t, text, written(t, g))
	require.NotContains(t, text, "<i>", "names are escaped")
	require.NotContains(t, text, "<b>")
	require.Less(t, strings.Index(text, `id="bad"`), strings.Index(text, `id="grid"`), "what failed comes first")
	require.Contains(t, text, "a &lt;b&gt;fault&lt;/b&gt;")
	require.NotContains(t, text, "<script")
	require.NotRegexp(t, `(src|href)="[^d#]`, text, "the page fetches nothing")
	require.Contains(t, text, `<span class="note">1 without a result</span>`)
}

// The columns of a study that names no policy are one.
func TestNoPolicy(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s.toml")
	require.NoError(t, os.WriteFile(path, []byte("[[run]]\nkernel = 's.toml'\n"), 0o666))
	s, err := study.Load(path)
	require.NoError(t, err)
	f, err := sweep.Create(filepath.Join(dir, "f"), s, nil)
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	l := &sweep.Local{Runner: sweep.Runner{Folder: f, Dir: dir, Tool: "/bin/true", Host: "here"}}
	require.NoError(t, l.Run(t.Context(), s.Len(), s.Cell))
	g, err := page.New(s, f, page.Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"default"}, g.Heads)
}

func TestParameters(t *testing.T) {
	s, f := swept(t)
	g, err := page.New(s, f, page.Options{Rows: "SIZE", Columns: "workers", Figure: "warp_instructions"})
	require.NoError(t, err)
	require.Equal(t, []string{"1", "2"}, g.Heads)
	require.Equal(t, []string{"1", "2"}, []string{g.Lines[0].Head, g.Lines[1].Head})
	require.Equal(t, "10", g.Lines[0].Panels[0].Text())
	require.Equal(t, "5", g.Lines[1].Panels[0].Text())
	require.Contains(t, written(t, g), "Colours go from 0 to the most of the row")
	for _, name := range page.Figures() {
		g, err := page.New(s, f, page.Options{Figure: name})
		require.NoError(t, err)
		require.Contains(t, written(t, g), name+", by subject and policy")
	}
	var unknown *page.UnknownError
	_, err = page.New(s, f, page.Options{Rows: "colour"})
	require.ErrorAs(t, err, &unknown)
	require.EqualError(t, err, `unknown parameter "colour": want one of SIZE, arguments, build, file, kind, part, policy, subject, workers`)
	_, err = page.New(s, f, page.Options{Figure: "beauty"})
	require.ErrorAs(t, err, &unknown)
	require.Contains(t, err.Error(), fmt.Sprintf("want one of %s, ", page.Figures()[0]))
}
