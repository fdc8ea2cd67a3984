package terminal

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"jacquard/debug"
)

var errNotStarted = errors.New("the program does not run: run starts it")

// running returns the target of a started program.
func (t *Terminal) running() (debug.Target, error) {
	if t.target == nil {
		return nil, errNotStarted
	}
	return t.target, nil
}

// stopped returns the target of a program that is stopped in a kernel.
func (t *Terminal) stopped() (debug.Target, error) {
	if t.target != nil && t.stop == nil {
		return nil, debug.ErrNone
	}
	return t.running()
}

// doStart starts the program.
func doStart(t *Terminal, r request) error {
	if t.target != nil {
		t.Program.Kill()
		t.Program.Wait()
		t.target, t.stop = nil, nil
	}
	if strings.HasPrefix("start", r.word) && len(r.word) > 3 {
		t.add(&point{Breakpoint: debug.Breakpoint{Entry: true}, text: "the first kernel", temporary: true})
	}
	target, err := t.Program.Start(strings.Fields(r.rest))
	if err != nil {
		return err
	}
	t.target = target
	if target == nil { // it ended, or its first call of CUDA never came
		t.gone()
		return nil
	}
	if err := target.SetCatch(t.catch); err != nil {
		return err
	}
	if err := t.send(); err != nil {
		return err
	}
	return t.goOn(debug.Order{Kind: debug.Continue})
}

// orders are the orders of words.
var orders = map[string]debug.Kind{
	"continue": debug.Continue, "step": debug.Step, "next": debug.Next, "finish": debug.Finish,
	"stepi": debug.StepInstruction, "nexti": debug.NextInstruction,
	"reverse-continue": debug.ReverseContinue, "reverse-step": debug.ReverseStep, "reverse-stepi": debug.ReverseStepInst,
}

// doResume lets the program go on.
func doResume(t *Terminal, r request) error {
	if _, err := t.running(); err != nil {
		return err
	}
	c, _ := find(commands, r.word)
	kind, times := orders[c.name], 1
	if r.rest != "" {
		n, err := strconv.Atoi(r.rest)
		if err != nil || n < 1 {
			return fmt.Errorf("%s %s: want a number of times", c.name, r.rest)
		}
		times = n
	}
	for range times {
		if err := t.goOn(debug.Order{Kind: kind, Focus: t.focus}); err != nil {
			return err
		}
		if t.stop == nil || t.stop.Reason != debug.ReasonStep {
			break
		}
	}
	return nil
}

// goOn lets the program go on until it stops, and tells the user where.
func (t *Terminal) goOn(o debug.Order) error {
	if t.OnInterrupt != nil {
		target := t.target
		undo := t.OnInterrupt(func() { target.Pause() })
		defer undo()
	}
	before, number := t.focus, -1
	if t.stop != nil {
		number = t.stop.Launch.Number
	}
	for {
		stop, err := t.target.Resume(o)
		if err != nil {
			return err
		}
		if stop.Reason == debug.ReasonLog {
			t.say("%s", stop.Text)
			o = debug.Order{Kind: debug.Again}
			continue
		}
		if t.ignores(stop) {
			o = debug.Order{Kind: debug.Again}
			continue
		}
		t.stop, t.focus, t.frame = stop, stop.Focus, 0
		sayResolved(t)
		if stop.Launch.Number != number || before.Block != stop.Focus.Block || before.Warp != stop.Focus.Warp {
			t.sayFocus()
		}
		t.sayStop()
		sayDisplays(t)
		return t.deleteTemporary(stop)
	}
}

// ignores reports whether all breakpoints of a stop are to be passed, and counts them.
func (t *Terminal) ignores(stop *debug.Stop) bool {
	if stop.Reason != debug.ReasonBreakpoint && stop.Reason != debug.ReasonWatch {
		return false
	}
	all := true
	for _, p := range t.points {
		for _, id := range stop.Breakpoints {
			if p.ID != id {
				continue
			}
			if p.ignore == 0 {
				all = false
			} else {
				p.ignore--
			}
		}
	}
	return all
}

// sayStop says why and where the program is stopped.
func (t *Terminal) sayStop() {
	s := t.stop
	switch s.Reason {
	case debug.ReasonBreakpoint:
		var names []string
		for _, id := range s.Breakpoints {
			names = append(names, strconv.Itoa(id))
		}
		t.say("Breakpoint %s, %s", strings.Join(names, ", "), t.where(&s.Frame))
		if s.Text != "" {
			t.say("%s", s.Text)
		}
	case debug.ReasonFinding:
		sayFindings(t, s.Findings)
		t.say("Finding, %s", t.where(&s.Frame))
	case debug.ReasonWatch, debug.ReasonFault, debug.ReasonHistory:
		title := map[debug.Reason]string{debug.ReasonWatch: "Watchpoint", debug.ReasonFault: "Exception", debug.ReasonHistory: "No way further back"}[s.Reason]
		t.say("%s: %s", title, s.Text)
		sayFindings(t, s.Findings)
		t.say("%s", t.where(&s.Frame))
	case debug.ReasonPause:
		t.say("Interrupted, %s", t.where(&s.Frame))
	}
	t.Source.at = listed{s.Frame.File, s.Frame.Line, true}
	if text := t.Source.line(s.Frame.File, s.Frame.Line); text != "" {
		t.say("%-6d%s", s.Frame.Line, text)
		if s.Reason != debug.ReasonStep {
			return
		}
	}
	if s.Reason == debug.ReasonStep && (t.Source.line(s.Frame.File, s.Frame.Line) == "" || strings.HasSuffix(string(t.lastKind()), "i")) {
		if list, err := t.target.Disassemble(s.Frame.Index, 1); err == nil && len(list) == 1 {
			t.say("=> 0x%04x  %s", list[0].PC, list[0].Text)
		}
	}
}

// lastKind returns the order of the command that an empty line repeats.
func (t *Terminal) lastKind() debug.Kind {
	word, _ := cut(t.repeat)
	if c, err := find(commands, word); err == nil {
		return orders[c.name]
	}
	return ""
}

// where describes a frame.
func (t *Terminal) where(f *debug.Frame) string {
	l := t.stop.Launch
	text := fmt.Sprintf("%s<<<(%d,%d),(%d,%d,%d)>>>", f.Function, l.Grid[0], l.Grid[1], l.Block[0], l.Block[1], l.Block[2])
	if f.File == "" {
		return fmt.Sprintf("%s at pc 0x%x", text, f.PC)
	}
	return fmt.Sprintf("%s at %s:%d, pc 0x%x", text, f.File, f.Line, f.PC)
}

// gone says how the program ended.
func (t *Terminal) gone() {
	how, _ := t.Program.Wait()
	t.target, t.stop = nil, nil
	t.say("[%s]", how)
}

func doDetach(t *Terminal, _ request) error {
	target, err := t.running()
	if err != nil {
		return err
	}
	t.stop = nil
	if err := target.Detach(); err != nil {
		return err
	}
	t.gone()
	return nil
}

func doKill(t *Terminal, _ request) error {
	if _, err := t.running(); err != nil {
		return err
	}
	t.end()
	t.stop = nil
	t.say("[the program was killed]")
	return nil
}
