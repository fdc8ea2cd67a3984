package cli

import "fmt"

// counted is a number with its noun: "1 launch", "2 launches".
func counted(n int, noun, plural string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %s", n, plural)
}
