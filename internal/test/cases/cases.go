package cases

import (
	"os"
	"strings"
	"testing"
)

// Run runs the cases of a file. A case is a line "== WHAT IT SHOWS", the input, a line "--" and what
// try must make of title and input. With update the file gets what try makes instead. Lines before
// the first case are for people.
func Run(t *testing.T, file string, update bool, try func(t *testing.T, title, input string) string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, all, ok := strings.Cut("\n"+string(text), "\n== ")
	if !ok {
		t.Fatalf("%s has no cases", file)
	}
	made := head
	for _, c := range strings.Split(all, "\n== ") {
		title, body, _ := strings.Cut(c, "\n")
		input, want, _ := strings.Cut(body, "\n--\n")
		want = strings.TrimSpace(want)
		got := want // if the flag -run leaves the case out
		t.Run(title, func(t *testing.T) {
			got = strings.TrimSpace(try(t, title, input))
			if got != want && !update {
				t.Errorf("%s: run with -update if this is meant\n%s", file, difference(want, got))
			}
		})
		made += "\n== " + title + "\n" + input + "\n--\n" + got + "\n"
	}
	if update && !t.Failed() {
		if err := os.WriteFile(file, []byte(strings.TrimPrefix(made, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// difference returns the lines of two texts from the first that differs.
func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	return "want:\n" + strings.Join(a[at:], "\n") + "\ngot:\n" + strings.Join(b[at:], "\n")
}
