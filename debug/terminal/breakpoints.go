package terminal

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jacquard/debug"
	"jacquard/simt/check"
)

// parseWhere parses where to break.
func (t *Terminal) parseWhere(text string) (debug.Breakpoint, error) {
	var b debug.Breakpoint
	switch {
	case text == "":
		if t.stop == nil {
			return b, errors.New("break where? want FILE:LINE, KERNEL or *PC")
		}
		pc := t.stop.Frame.PC
		b.PC, b.Kernel = &pc, t.stop.Launch.Kernel
		return b, nil
	case text[0] == '*':
		pc, err := strconv.ParseUint(strings.TrimSpace(text[1:]), 0, 32)
		if err != nil {
			v, err := t.evaluate(text[1:], "")
			if err != nil {
				return b, fmt.Errorf("%s: want a byte address in the kernel, as *0x48: %w", text, err)
			}
			pc = v.Bits
		}
		at := uint32(pc)
		b.PC = &at
		if t.stop != nil {
			b.Kernel = t.stop.Launch.Kernel
		}
		return b, nil
	}
	if i := strings.LastIndexByte(text, ':'); i > 0 {
		n, err := strconv.Atoi(text[i+1:])
		if err != nil || n < 1 {
			return b, fmt.Errorf("%s: want a line after the colon", text)
		}
		b.File, b.Line = text[:i], n
		return b, nil
	}
	if n, err := strconv.Atoi(text); err == nil {
		if t.Source.at.file == "" {
			return b, fmt.Errorf("line %d of which file? want FILE:%d", n, n)
		}
		b.File, b.Line = t.Source.at.file, n
		return b, nil
	}
	b.Kernel, b.Entry = text, true
	return b, nil
}

// doSetBreak sets a breakpoint.
func doSetBreak(t *Terminal, r request) error {
	where, condition := r.rest, ""
	if i := strings.Index(" "+where, " if "); i >= 0 {
		where, condition = strings.TrimSpace(r.rest[:i]), strings.TrimSpace(r.rest[i+2:])
		condition = strings.TrimSpace(strings.TrimPrefix(condition, "f "))
	}
	b, err := t.parseWhere(where)
	if err != nil {
		return err
	}
	b.Condition = condition
	p := &point{Breakpoint: b, text: where, temporary: strings.HasPrefix(r.word, "t")}
	return t.addPoint(p)
}

// addPoint adds a breakpoint and says so.
func (t *Terminal) addPoint(p *point) error {
	if err := p.Check(); err != nil {
		return err
	}
	t.add(p)
	if err := t.send(); err != nil {
		return err
	}
	if p.Watch != nil {
		t.say("Watchpoint %d: %s", p.ID, p.describe())
		return nil
	}
	b := resolved(t)[p.ID]
	switch {
	case len(b.Places) > 0:
		t.say("Breakpoint %d: %s at %s", p.ID, p.describe(), b.Places[0])
	case p.Kernel == "" && p.Entry:
		t.say("Breakpoint %d: %s", p.ID, p.describe())
	default:
		if p.pending = b.Seen == nil; b.Missing != "" {
			t.say("%s", b.Missing)
		}
		t.say("Breakpoint %d (%s) pending.", p.ID, p.describe())
	}
	return nil
}

// resolved returns what is known of the breakpoints, by number.
func resolved(t *Terminal) map[int]debug.Resolved {
	known := map[int]debug.Resolved{}
	if t.target != nil {
		list, _ := t.target.Breakpoints()
		for _, b := range list {
			known[b.ID] = b
		}
	}
	return known
}

// sayResolved tells of breakpoints that were pending, and did not stop the program now.
func sayResolved(t *Terminal) {
	known := resolved(t)
	for _, p := range t.points {
		if b := known[p.ID]; p.pending && b.Seen != nil {
			p.pending = false
			if !slices.Contains(t.stop.Breakpoints, p.ID) {
				t.say("Breakpoint %d (%s) resolved: %s", p.ID, p.describe(), b.Seen)
			}
		}
	}
}

func (t *Terminal) add(p *point) {
	t.last++
	p.ID = t.last
	t.points = append(t.points, p)
}

// describe says what a breakpoint is.
func (p *point) describe() string {
	text := p.text
	if p.Entry {
		text = "where " + p.text + " begins"
	}
	if p.Condition != "" {
		text += " if " + p.Condition
	}
	if p.Log != "" {
		text += ", print " + strconv.Quote(p.Log)
	}
	return text
}

// doSetWatch sets a watchpoint.
func doSetWatch(t *Terminal, r request) error {
	v, err := t.evaluate(r.rest, "")
	if err != nil {
		return err
	}
	w, err := debug.WatchOf(v, t.focus)
	if err != nil {
		return err
	}
	w.Reads, w.Writes = r.word != "watch", r.word != "rwatch"
	if w.Register != "" && w.Reads {
		return errors.New("reads of a register cannot be watched: want watch")
	}
	return t.addPoint(&point{Breakpoint: debug.Breakpoint{Watch: w}, text: fmt.Sprintf("%s (%s)", r.rest, w)})
}

// doSetLog sets a breakpoint that prints.
func doSetLog(t *Terminal, r request) error {
	where, text, ok := strings.Cut(r.rest, ",")
	if !ok {
		return errors.New("want dprintf WHERE, TEXT")
	}
	b, err := t.parseWhere(strings.TrimSpace(where))
	if err != nil {
		return err
	}
	b.Log = strings.Trim(strings.TrimSpace(text), `"`)
	return t.addPoint(&point{Breakpoint: b, text: strings.TrimSpace(where)})
}

// numbered returns the breakpoints of numbers; all of them for "".
func (t *Terminal) numbered(text string) ([]*point, error) {
	if text == "" {
		return slices.Clone(t.points), nil
	}
	var list []*point
	for _, w := range strings.Fields(text) {
		n, err := strconv.Atoi(w)
		i := slices.IndexFunc(t.points, func(p *point) bool { return p.ID == n })
		if err != nil || i < 0 {
			return nil, fmt.Errorf("no breakpoint %s", w)
		}
		list = append(list, t.points[i])
	}
	return list, nil
}

func doSetCondition(t *Terminal, r request) error {
	number, condition := cut(r.rest)
	list, err := t.numbered(number)
	if err != nil || len(list) != 1 || number == "" {
		return errors.Join(err, errors.New("want condition N [COND]"))
	}
	changed := list[0].Breakpoint
	changed.Condition = condition
	if err := changed.Check(); err != nil {
		return err
	}
	list[0].Breakpoint = changed
	return t.send()
}

func doSetIgnore(t *Terminal, r request) error {
	number, count := cut(r.rest)
	list, err := t.numbered(number)
	n, err2 := strconv.Atoi(count)
	if err = errors.Join(err, err2); err != nil || len(list) != 1 {
		return errors.Join(err, errors.New("want ignore N COUNT"))
	}
	list[0].ignore = n
	return nil
}

func doDeletePoints(t *Terminal, r request) error {
	list, err := t.numbered(r.rest)
	if err != nil {
		return err
	}
	t.points = slices.DeleteFunc(t.points, func(p *point) bool { return slices.Contains(list, p) })
	return t.send()
}

func doAblePoints(t *Terminal, r request) error {
	list, err := t.numbered(r.rest)
	if err != nil {
		return err
	}
	c, _ := find(commands, r.word)
	for _, p := range list {
		p.Disabled = c.name == "disable"
	}
	return t.send()
}

func doSetCatch(t *Terminal, r request) error {
	c := t.catch
	word, rest := cut(r.rest)
	switch {
	case word == "finding" || word == "findings":
		kinds, err := check.ParseSet(cmp.Or(rest, "all"))
		if err != nil {
			return fmt.Errorf("catch findings: %w: want kinds with commas between, as race,sync, or all or off", err)
		}
		if t.Checks == 0 {
			return errors.New("the program is not checked: start with jacquard debug --check")
		}
		c.Findings = kinds
	case rest == "" && word == "all":
		c = debug.Catch{Faults: true, Traps: true, Findings: check.All}
	case rest == "" && word == "none":
		c = debug.Catch{}
	case rest == "" && (word == "faults" || word == "traps"):
		c.Faults, c.Traps = word == "faults", word == "traps"
	default:
		return errors.New("want catch faults, traps, findings [KIND,...|off], all or none")
	}
	t.catch = c
	if t.target == nil {
		return nil
	}
	return t.target.SetCatch(c)
}

// deleteTemporary deletes the breakpoints of tbreak that were hit.
func (t *Terminal) deleteTemporary(stop *debug.Stop) error {
	n := len(t.points)
	t.points = slices.DeleteFunc(t.points, func(p *point) bool { return p.temporary && slices.Contains(stop.Breakpoints, p.ID) })
	if len(t.points) == n {
		return nil
	}
	return t.send()
}

// send sends the breakpoints to the program, if it runs.
func (t *Terminal) send() error {
	if t.target == nil {
		return nil
	}
	var list []debug.Breakpoint
	for _, p := range t.points {
		list = append(list, p.Breakpoint)
	}
	return t.target.SetBreakpoints(list)
}

// infoBreakpoints lists the breakpoints.
func infoBreakpoints(t *Terminal) error {
	if len(t.points) == 0 {
		t.say("No breakpoints.")
		return nil
	}
	known := resolved(t)
	for _, p := range t.points {
		state := "on"
		if p.Disabled {
			state = "off"
		}
		if p.temporary {
			state += ", once"
		}
		if p.pending {
			state += ", pending"
		}
		t.say("%-3d %-9s %s", p.ID, state, p.describe())
		b := known[p.ID]
		for _, at := range b.Places {
			t.say("    at %s", at)
		}
		if b.Hits > 0 {
			t.say("    hit %d times", b.Hits)
		}
	}
	return nil
}
