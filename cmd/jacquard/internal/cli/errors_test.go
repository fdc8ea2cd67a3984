package cli_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A flag that would have no effect is refused, and named.
func TestFlagsWithoutEffect(t *testing.T) {
	test, bundle := kernel("vecadd", "test.json"), recorded(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "--test", test, "--dump", "x=y"}, "--test does not go with --dump"},
		{[]string{"run", "--test", test, "--block", "64", "--print", "x"}, "--test does not go with --block or --print"},
		{[]string{"run", "--test", test, "--expect", "x=y", "--image", "1"}, "--test does not go with --image or --expect"},
		{[]string{"compare", "--test", test, "--arg", "u32:1"}, "--test does not go with --arg"},
		{[]string{"compare", "--grid", "2", "--", "true"}, "a program does not go with --grid"},
		{[]string{"info", "--cfg", "x.svg", bundle}, "a bundle does not go with --cfg"},
		{[]string{"info", "--memory", "200", kernel("vecadd", "sm_10.cubin")}, "a file that is no bundle does not go with --memory"},
		{[]string{"stats", "--table3", "--csv", "--by", "op", "s.json"}, "a table in Markdown does not go with --by or --csv"},
		{[]string{"stats", "--branches", "--top", "1", "s.json"}, "a table in Markdown does not go with --top"},
		{[]string{"compile", "--print", "list", "-o", "x"}, "--print list does not go with --output"},
	} {
		require.Equal(t, answer{2, "", "jacquard: " + c.want + "\n"}, jacquard(c.args...), c.args)
	}
}
