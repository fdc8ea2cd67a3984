package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// searches checks ISPASS's BFS with a search of the same graph here, and its small graph with the
// suite's own result.
//
// Its kernel races: a node that an earlier block of the same launch reached counts as reached in
// the launch before. The effect depends on the order of the blocks, so a distance may be the length
// of a longer path. Three properties hold if blocks run one after the other, in any order: the same
// nodes are reached, no distance is too short, and each distance is one more than the distance of a
// node with an edge to the node. Blocks that run at the same time may change the distance of that
// node later.
func searches() proof {
	const text = "`result.txt` has paths to the nodes that a search here reaches; that of" +
		" `data/SampleGraph.txt` as in the suite"
	return proof{text, func(t *trial) error {
		text, err := file(t.args[0])(t)
		if err != nil {
			return err
		}
		g, err := parseNetwork(text)
		if err != nil {
			return err
		}
		result, err := file("result.txt")(t)
		if err != nil {
			return err
		}
		if err := g.check(result); err != nil {
			return err
		}
		if _, err := t.again([]string{"data/SampleGraph.txt"}); err != nil {
			return err
		}
		return writes("result.txt", "data/result_SampleGraph.txt", tolerance{}).check(t)
	}}
}

// network is a directed graph.
type network struct {
	start int
	edges [][]int // the ends, for each node
}

// parseNetwork reads the file format of the program.
func parseNetwork(text string) (*network, error) {
	all, err := numbers(text, strconv.Atoi)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 || len(all) < 2*all[0]+3 {
		return nil, fmt.Errorf("the graph is cut off")
	}
	nodes, rest := all[0], all[1:]
	g := &network{start: rest[2*nodes], edges: make([][]int, nodes)}
	ends := rest[2*nodes+2:]
	for i := range g.edges {
		first, count := rest[2*i], rest[2*i+1]
		if 2*(first+count) > len(ends) {
			return nil, fmt.Errorf("the graph is cut off")
		}
		for e := range count {
			g.edges[i] = append(g.edges[i], ends[2*(first+e)])
		}
	}
	return g, nil
}

// distances returns the number of edges from the start to each node, -1 if there is no path.
func (g *network) distances() []int {
	far := slices.Repeat([]int{-1}, len(g.edges))
	far[g.start] = 0
	for queue := []int{g.start}; len(queue) > 0; queue = queue[1:] {
		for _, to := range g.edges[queue[0]] {
			if far[to] < 0 {
				far[to] = far[queue[0]] + 1
				queue = append(queue, to)
			}
		}
	}
	return far
}

// check checks a result of the program.
func (g *network) check(result string) error {
	want := g.distances()
	got := make([]int, len(want))
	lines := strings.Split(strings.TrimSpace(result), "\n")
	if len(lines) != len(want) {
		return fmt.Errorf("%d nodes, not %d", len(lines), len(want))
	}
	for i, line := range lines {
		var node int
		if _, err := fmt.Sscanf(line, "%d) cost:%d", &node, &got[i]); err != nil || node != i {
			return fmt.Errorf("node %d: %q", i, line)
		}
		if (got[i] < 0) != (want[i] < 0) || got[i] < want[i] {
			return fmt.Errorf("the distance of node %d is %d, not %d", i, got[i], want[i])
		}
	}
	reached := make([]bool, len(got))
	reached[g.start] = got[g.start] == 0
	for from, ends := range g.edges {
		for _, to := range ends {
			reached[to] = reached[to] || got[from] >= 0 && got[to] == got[from]+1
		}
	}
	for i := range got {
		if got[i] >= 0 && !reached[i] {
			return fmt.Errorf("no path leads to node %d at distance %d", i, got[i])
		}
	}
	return nil
}
