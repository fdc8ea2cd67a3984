package player_test

import (
	"fmt"
	"strings"

	"jacquard/observe/player"
	"jacquard/observe/trace"
)

func ExampleWrite() {
	f, err := trace.Open("no.jqt")
	if err != nil {
		var page strings.Builder
		fmt.Println(player.Write(&page, "nothing", 1000, nil))
		return
	}
	defer f.Close()
	// Output:
	// a page plays 1 to 4 runs, not 0
}
