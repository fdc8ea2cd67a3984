package terminal

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"jacquard/debug"
)

// sayFocus says which thread is looked at.
func (t *Terminal) sayFocus() {
	l := t.stop.Launch
	at := l.BlockIndex(t.focus.Block)
	thread, _ := l.Thread(t.focus)
	t.say("[kernel %d %s, block (%d,%d), thread (%d,%d,%d), warp %d, lane %d]",
		l.Number, l.Kernel, at[0], at[1], thread[0], thread[1], thread[2], t.focus.Warp, t.focus.Lane)
}

// numbersOf parses 3, "3,1" or (3,1,0).
func numbersOf(text string) (list [3]int, n int, err error) {
	for part := range strings.SplitSeq(strings.Trim(text, "()"), ",") {
		v, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n == 3 || v < 0 {
			return list, 0, fmt.Errorf("%q: want a number, or up to three with commas between", text)
		}
		list[n] = v
		n++
	}
	return list, n, nil
}

// doSetFocus shows or sets the thread that is looked at.
func doSetFocus(t *Terminal, r request) error {
	if _, err := t.stopped(); err != nil {
		return err
	}
	l, f := t.stop.Launch, t.focus
	words := strings.Fields(strings.ReplaceAll(r.rest, ", ", ","))
	for i := 0; i < len(words); i++ {
		word, value := words[i], ""
		if i+1 < len(words) && strings.ContainsAny(words[i+1][:1], "0123456789(") {
			value = words[i+1]
			i++
		}
		if value == "" {
			continue // it is shown
		}
		n, count, err := numbersOf(value)
		if err != nil {
			return err
		}
		switch word {
		case "block":
			if count > 1 && (n[0] >= l.Grid[0] || n[1] >= l.Grid[1]) {
				return fmt.Errorf("no block %s: the grid is %v", value, l.Grid)
			}
			if f.Block = n[0]; count > 1 {
				f.Block = n[0] + n[1]*l.Grid[0]
			}
		case "thread":
			if n[0] >= l.Block[0] && count > 1 || n[1] >= l.Block[1] || n[2] >= l.Block[2] {
				return fmt.Errorf("no thread %s: a block has %v", value, l.Block)
			}
			number := n[0] + l.Block[0]*(n[1]+l.Block[1]*n[2])
			f.Warp, f.Lane = number/32, number%32
		case "warp":
			f.Warp = n[0]
		case "lane":
			f.Lane = n[0]
		case "kernel", "grid", "device", "sm":
			if word == "kernel" && n[0] != l.Number {
				return fmt.Errorf("no kernel %d runs: kernels run one at a time, now %d", n[0], l.Number)
			}
		default:
			return fmt.Errorf("cuda %s: want kernel, block, thread, warp or lane", word)
		}
	}
	if _, err := t.target.Frames(f); err != nil {
		return err
	}
	changed := f != t.focus
	t.focus, t.frame = f, 0
	t.sayFocus()
	if changed {
		return t.sayPlace()
	}
	return nil
}

// frames returns the calls of the thread that is looked at, innermost first.
func (t *Terminal) frames() ([]debug.Frame, error) {
	target, err := t.stopped()
	if err != nil {
		return nil, err
	}
	return target.Frames(t.focus)
}

// sayPlace says where the thread is.
func (t *Terminal) sayPlace() error {
	frames, err := t.frames()
	if err != nil {
		return err
	}
	f := frames[min(t.frame, len(frames)-1)]
	t.Source.at = listed{f.File, f.Line, true}
	t.say("%s", t.where(&f))
	if text := t.Source.line(f.File, f.Line); text != "" {
		t.say("%-6d%s", f.Line, text)
	}
	return nil
}

// doInfo prints what it is asked for.
func doInfo(t *Terminal, r request) error {
	what, rest := cut(r.rest)
	if is(what, "breakpoints", 1) || is(what, "watchpoints", 3) {
		return infoBreakpoints(t)
	}
	if is(what, "display", 1) {
		return infoDisplay(t)
	}
	if is(what, "cuda", 1) {
		return infoCuda(t, rest)
	}
	target, err := t.stopped()
	if err != nil {
		return err
	}
	switch {
	case is(what, "registers", 1) || is(what, "all-registers", 1):
		return infoRegisters(t, target, strings.Fields(rest))
	case is(what, "locals", 2):
		return infoNames(t, target, debug.Local)
	case is(what, "args", 2):
		return infoNames(t, target, debug.Argument)
	case is(what, "variables", 1):
		return infoNames(t, target, debug.Global)
	case is(what, "line", 2) || is(what, "source", 2) || is(what, "frame", 1) || is(what, "program", 1):
		return t.sayPlace()
	case is(what, "threads", 1):
		return infoCuda(t, "warps")
	}
	return errors.New("want info breakpoints, registers, locals, args, variables, line, or cuda kernels, blocks, warps, lanes or threads")
}

// is reports whether a word is the beginning of a name, at least so many letters.
func is(word, name string, least int) bool {
	return len(word) >= least && strings.HasPrefix(name, word)
}

func infoRegisters(t *Terminal, target debug.Target, only []string) error {
	list, err := target.Registers(t.focus)
	if err != nil {
		return err
	}
	shown := 0
	for _, r := range list {
		if len(only) > 0 && !contains(only, r.Name) {
			continue
		}
		shown++
		text := r.Text
		if r.Group == "Registers" {
			v, err := t.evaluate(r.Name, "f")
			text = strconv.Itoa(int(int32(r.Value)))
			if err == nil {
				text = fmt.Sprintf("%-12s %s", text, v.Text)
			}
		}
		t.say("%-8s 0x%08x  %s", r.Name, r.Value, text)
	}
	if shown == 0 {
		return fmt.Errorf("no register %s", strings.Join(only, " "))
	}
	return nil
}

func contains(list []string, name string) bool {
	for _, w := range list {
		if w == name || "$"+w == name {
			return true
		}
	}
	return false
}

// infoNames prints the variables in scope of one kind.
func infoNames(t *Terminal, target debug.Target, kind string) error {
	list, err := target.Variables(t.focus, t.frame)
	if err != nil {
		return err
	}
	any := false
	for _, v := range list {
		if v.Kind != kind {
			continue
		}
		any = true
		if v.Fault != "" {
			v.Value = v.Fault
		}
		t.say("%s = %s", v.Name, v.Value)
	}
	switch {
	case any:
	case len(list) == 0 || list[0].Name == "param0":
		t.say("No %ss are known: compile with nvcc -g -G, or see info registers.", kind)
	default:
		t.say("No %ss.", kind)
	}
	return nil
}

func infoCuda(t *Terminal, what string) error {
	target, err := t.stopped()
	if err != nil {
		return err
	}
	switch {
	case is(what, "kernels", 1):
		l := t.stop.Launch
		back := "no way back"
		if l.Back {
			back = "a way back"
		}
		t.say("* %d  %s<<<(%d,%d),(%d,%d,%d)>>>  %s, %d blocks of %d warps, %s", l.Number, l.Kernel,
			l.Grid[0], l.Grid[1], l.Block[0], l.Block[1], l.Block[2], l.Arch, l.Blocks, l.Warps, back)
		return nil
	case is(what, "blocks", 1):
		list, err := target.Blocks()
		for _, b := range list {
			t.say("%s (%d,%d)  number %d, %d threads live", mark(b.Number == t.focus.Block), b.Index[0], b.Index[1], b.Number, b.Live)
		}
		return err
	case is(what, "warps", 1):
		return infoWarps(t, target)
	case is(what, "lanes", 1):
		return infoLanes(t, target)
	case is(what, "threads", 1):
		return infoThreads(t, target)
	}
	return errors.New("want info cuda kernels, blocks, warps, lanes or threads")
}

func mark(here bool) string {
	if here {
		return "*"
	}
	return " "
}

// state describes a path of a warp.
func state(w *debug.Warp, p *debug.Path) string {
	switch {
	case w.Active != 0 && p.Lanes&^w.Active == 0:
		return "next"
	case p.Blocked:
		return "at a barrier"
	case len(w.Paths) > 1:
		return "waits"
	}
	return "ready"
}

func infoWarps(t *Terminal, target debug.Target) error {
	list, err := target.Warps(t.focus.Block)
	if err != nil {
		return err
	}
	for i := range list {
		w := &list[i]
		t.say("%s warp %d  live %08x of %08x", mark(w.Warp == t.focus.Warp), w.Warp, w.Live, w.Lanes)
		for j := range w.Paths {
			p := &w.Paths[j]
			t.say("    lanes %08x at %s, %s", p.Lanes, p.Place, state(w, p))
		}
		if w.Warp == t.focus.Warp && len(w.Stack) > 1 {
			for _, e := range w.Stack {
				at := ""
				if e.PC >= 0 {
					at = fmt.Sprintf(" at 0x%x", e.PC)
				}
				t.say("    kept: %s%s, lanes %08x", e.Kind, at, e.Lanes)
			}
		}
	}
	return nil
}

// warp returns the warp that is looked at.
func (t *Terminal) warp(target debug.Target) (*debug.Warp, error) {
	list, err := target.Warps(t.focus.Block)
	if err != nil {
		return nil, err
	}
	return &list[t.focus.Warp], nil
}

func infoLanes(t *Terminal, target debug.Target) error {
	w, err := t.warp(target)
	if err != nil {
		return err
	}
	for l := range 32 {
		f := t.focus
		f.Lane = l
		thread, ok := t.stop.Launch.Thread(f)
		if !ok {
			continue
		}
		text := "ended"
		for i := range w.Paths {
			if p := &w.Paths[i]; p.Lanes>>l&1 != 0 {
				text = fmt.Sprintf("%s, %s", p.Place, state(w, p))
			}
		}
		t.say("%s %2d  (%d,%d,%d)  %s", mark(l == t.focus.Lane), l, thread[0], thread[1], thread[2], text)
	}
	return nil
}

// infoThreads lists runs of threads of the block at the same place.
func infoThreads(t *Terminal, target debug.Target) error {
	list, err := target.Warps(t.focus.Block)
	if err != nil {
		return err
	}
	at := t.stop.Launch.BlockIndex(t.focus.Block)
	for i := range list {
		w := &list[i]
		for j := range w.Paths {
			p := &w.Paths[j]
			first := debug.Focus{Block: t.focus.Block, Warp: w.Warp, Lane: bits.TrailingZeros32(p.Lanes)}
			last := debug.Focus{Block: t.focus.Block, Warp: w.Warp, Lane: 31 - bits.LeadingZeros32(p.Lanes)}
			from, _ := t.stop.Launch.Thread(first)
			to, _ := t.stop.Launch.Thread(last)
			t.say("%s block (%d,%d)  threads (%d,%d,%d) to (%d,%d,%d)  %d at %s",
				mark(w.Warp == t.focus.Warp && p.Lanes>>t.focus.Lane&1 != 0), at[0], at[1],
				from[0], from[1], from[2], to[0], to[1], to[2], bits.OnesCount32(p.Lanes), p.Place)
		}
	}
	return nil
}

func doBacktrace(t *Terminal, _ request) error {
	frames, err := t.frames()
	if err != nil {
		return err
	}
	for i := range frames {
		inline := ""
		if frames[i].Inline {
			inline = " (inlined)"
		}
		t.say("%s#%d  %s%s", mark(i == t.frame), i, t.where(&frames[i]), inline)
	}
	return nil
}

func doSetFrame(t *Terminal, r request) error {
	frames, err := t.frames()
	if err != nil {
		return err
	}
	n := t.frame
	switch {
	case r.word == "up":
		n++
	case r.word == "down":
		n--
	case r.rest != "":
		if n, err = strconv.Atoi(r.rest); err != nil {
			return fmt.Errorf("frame %s: want a number of backtrace", r.rest)
		}
	}
	if n < 0 || n >= len(frames) {
		return fmt.Errorf("no frame %d: there are %d", n, len(frames))
	}
	t.frame = n
	return t.sayPlace()
}
