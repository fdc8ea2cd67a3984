package branch

import (
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// docs/divergence.md lists every kind of entry, with the number that traces have for it.
func TestEntryKinds(t *testing.T) {
	page, err := os.ReadFile("../../docs/divergence.md")
	require.NoError(t, err)
	rows := regexp.MustCompile("(?m)^\\| \\d+ \\| `\\w+` \\|").FindAllString(string(page), -1)
	var want []string
	for k := PathEntry; int(k) < len(entryKinds); k++ {
		want = append(want, fmt.Sprintf("| %d | `%v` |", k, k))
	}
	require.Equal(t, want, rows)
	require.Equal(t, "kind0", EntryKind(0).String())
	require.Equal(t, "kind99", EntryKind(99).String())
}
