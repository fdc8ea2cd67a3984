package maze_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/maze"
)

func TestParsePolicies(t *testing.T) {
	list, err := maze.ParsePolicies("bfs,implicit:key=source,mimd")
	require.NoError(t, err)
	require.Equal(t, []string{"bfs:merge=always", "bfs:merge=head", "bfs:merge=labels", "implicit:key=source", "mimd"}, list)
	list, err = maze.ParsePolicies("all:warp=8,nvidia")
	require.NoError(t, err)
	require.Len(t, list, len(maze.Policies())+1)
	require.Contains(t, list, "bfs:merge=head,warp=8")
	require.Contains(t, list, "mimd:warp=8")
	_, err = maze.ParsePolicies("all:warp=64")
	require.EqualError(t, err, `unknown option "warp=64" of all policies: want mimd:warp=32|16|8|4`)
	_, err = maze.ParsePolicies("stackless:key=pc,key=sp")
	require.ErrorContains(t, err, `unknown policy "stackless:key=pc,key=sp"`)
}
