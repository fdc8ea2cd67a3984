package terminal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// displays are expressions that are printed at each stop.
type displays struct {
	shown []display
	made  int // displays so far
}

type display struct {
	number       int
	text, format string
}

// memory reports whether the format is one of x, as /i and /4xw: an address is given.
func (d *display) memory() bool { return len(d.format) > 1 || d.format == "i" }

// doDisplay adds an expression, or prints all of them.
func doDisplay(t *Terminal, r request) error {
	if r.rest == "" {
		sayDisplays(t)
		return nil
	}
	if strings.HasPrefix(r.rest, "/") {
		r.format, r.rest = cut(r.rest[1:])
	}
	d := display{t.made + 1, r.rest, r.format}
	if t.stop != nil {
		if err := d.say(t); err != nil {
			return err
		}
	}
	t.made++
	t.shown = append(t.shown, d)
	return nil
}

// doUndisplay removes expressions.
func doUndisplay(t *Terminal, r request) error {
	if r.rest == "" {
		t.shown = nil
	}
	for _, word := range strings.Fields(r.rest) {
		n, err := strconv.Atoi(word)
		i := slices.IndexFunc(t.shown, func(d display) bool { return d.number == n })
		if err != nil || i < 0 {
			return fmt.Errorf("no display %s", word)
		}
		t.shown = slices.Delete(t.shown, i, i+1)
	}
	return nil
}

// sayDisplays prints the expressions for the thread that is looked at. One that has no value there,
// as that of a name that is not in scope, says so.
func sayDisplays(t *Terminal) {
	for i := range t.shown {
		if err := t.shown[i].say(t); err != nil {
			t.say("%d: %s: %v", t.shown[i].number, t.shown[i].text, err)
		}
	}
}

// say prints a display.
func (d *display) say(t *Terminal) error {
	if d.memory() {
		t.say("%d: x/%s %s", d.number, d.format, d.text)
		return doExamine(t, request{rest: d.text, format: d.format})
	}
	v, err := t.evaluate(d.text, d.format)
	if err != nil {
		return err
	}
	t.say("%d: %s = %s", d.number, d.text, v.Text)
	return nil
}

// infoDisplay lists the expressions.
func infoDisplay(t *Terminal) error {
	if len(t.shown) == 0 {
		t.say("There are no auto-display expressions now.")
	}
	for _, d := range t.shown {
		slash := ""
		if d.format != "" {
			slash = "/" + d.format + " "
		}
		t.say("%d: %s%s", d.number, slash, d.text)
	}
	return nil
}
