package page_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cmd/internal/page"
)

// A page is edited whole, or stays as it was, and the error names it.
func TestEdit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.md")
	part := func(string) string { return page.Head("a", "b") + page.Row("1", "2") }
	require.ErrorIs(t, page.Edit(path, "BEGIN", "END", part), os.ErrNotExist)
	require.NoError(t, os.WriteFile(path, []byte("BEGIN\nold\nEND\n"), 0o666))
	require.ErrorContains(t, page.Edit(path, "BEGIN", "none", part), path+": there are no lines")
	require.NoError(t, page.Edit(path, "BEGIN", "END", part))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "BEGIN\n| a | b |\n| --- | --- |\n| 1 | 2 |\nEND\n", string(text))
}
