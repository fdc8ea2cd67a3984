package terminal

import (
	"fmt"
	"slices"
	"strings"

	"jacquard/internal/spelling"
)

// request is a command as the user gave it.
type request struct{ rest, format, word string }

// command is a word of the terminal.
type command struct {
	name    string
	short   string // other names, with spaces between
	args    string
	help    string
	repeats bool // an empty line repeats it
	do      func(*Terminal, request) error
}

var commands []command

func init() {
	commands = []command{
		{"break", "b br", "[FILE:]LINE|KERNEL|*PC [if COND]", "stop at a line, where a kernel begins, or at an instruction", false, doSetBreak},
		{"tbreak", "tb", "WHERE [if COND]", "break once", false, doSetBreak},
		{"watch", "", "EXPR", "stop after a write to a register of the thread, or to memory: watch *(@shared int*)0x20", false, doSetWatch},
		{"rwatch", "", "EXPR", "stop after a read of memory", false, doSetWatch},
		{"awatch", "", "EXPR", "stop after a read or a write of memory", false, doSetWatch},
		{"dprintf", "", "WHERE, TEXT", "print a text, with expressions in {braces}, and go on", false, doSetLog},
		{"condition", "", "N [COND]", "give a breakpoint a condition, or take it away", false, doSetCondition},
		{"ignore", "", "N COUNT", "pass a breakpoint so often", false, doSetIgnore},
		{"delete", "d", "[N ...]", "delete breakpoints", false, doDeletePoints},
		{"disable", "dis", "[N ...]", "keep breakpoints from stopping", false, doAblePoints},
		{"enable", "en", "[N ...]", "undo disable", false, doAblePoints},
		{"catch", "", "faults|traps|findings [KIND,...|off]|all|none", "stop where a kernel faults, or where --check finds a mistake (at first: all)", false, doSetCatch},
		{"run", "r start", "[ARGS]", "start the program, or start it again; start stops where the first kernel begins", false, doStart},
		{"continue", "c fg", "", "go on", true, doResume},
		{"step", "s", "[N]", "go on until the warp of the thread is at another line", true, doResume},
		{"next", "n", "[N]", "step past calls", true, doResume},
		{"finish", "fin", "", "go on until the function returns", true, doResume},
		{"stepi", "si", "[N]", "go on for an instruction of the warp", true, doResume},
		{"nexti", "ni", "[N]", "stepi past calls", true, doResume},
		{"reverse-continue", "rc", "", "go back to the last stop, or to the start of the launch", true, doResume},
		{"reverse-step", "rs", "[N]", "go back to the start of a line", true, doResume},
		{"reverse-stepi", "rsi", "[N]", "go back for an instruction of the warp", true, doResume},
		{"last-write", "lw", "EXPR", "say which thread wrote there last", false, doLastWrite},
		{"cuda", "", "[kernel] [block N|X,Y] [thread X,Y,Z] [warp N] [lane N]", "show or set the thread that is looked at", false, doSetFocus},
		{"info", "i", "WHAT", "breakpoints, display, registers, locals, args, variables (of the module), line, source, cuda kernels|blocks|warps|lanes|threads", false, doInfo},
		{"backtrace", "bt where", "", "the calls of the thread", false, doBacktrace},
		{"frame", "f", "[N]", "choose a call for the names of variables", false, doSetFrame},
		{"up", "", "", "choose the caller", false, doSetFrame},
		{"down", "", "", "choose the called function", false, doSetFrame},
		{"print", "p inspect", "[/F] EXPR", "the value of an expression; /x /d /u /o /t /c /f", false, doPrint},
		{"display", "", "[/F] [EXPR]", "print an expression, or memory as x does, at each stop; without one: all now", false, doDisplay},
		{"undisplay", "", "[N ...]", "undo display", false, doUndisplay},
		{"lanes", "", "[/F] EXPR", "its value in all lanes of the warp", false, doLanes},
		{"x", "", "[/NFU] ADDRESS", "memory: N units, b h w g, as x d u o t c f a, or i for instructions", true, doExamine},
		{"set", "", "[var] EXPR = VALUE", "change a register or memory", false, doSet},
		{"list", "l", "[[FILE:]LINE]", "lines of source", true, doList},
		{"disassemble", "disas", "[/a]", "instructions of the line, or all", false, doDisassemble},
		{"directory", "dir", "FOLDER", "look for sources there", false, doDirectory},
		{"echo", "", "TEXT", "print a text", false, func(t *Terminal, r request) error { t.say("%s", r.rest); return nil }},
		{"source", "", "FILE", "run the commands of a file", false, func(t *Terminal, r request) error { return t.source(r.rest) }},
		{"detach", "", "", "let the program go on without the debugger", false, doDetach},
		{"kill", "k", "", "end the program", false, doKill},
		{"quit", "q exit", "", "end the program and the debugger", false, func(t *Terminal, _ request) error { t.quit = true; return nil }},
		{"help", "h", "[COMMAND]", "say what commands do", false, doHelp},
	}
}

// find returns the command of a word: its name, another name, or the beginning of one name.
func find(list []command, word string) (*command, error) {
	var found []int
	for i, c := range list {
		if c.name == word || slices.Contains(strings.Fields(c.short), word) {
			return &list[i], nil
		}
		if strings.HasPrefix(c.name, word) {
			found = append(found, i)
		}
	}
	if len(found) == 1 {
		return &list[found[0]], nil
	}
	var names []string
	for _, i := range found {
		names = append(names, list[i].name)
	}
	if len(names) > 0 {
		return nil, fmt.Errorf("%q is not clear: %s", word, strings.Join(names, ", "))
	}
	near := spelling.Nearest(word, func(yield func(string) bool) {
		for _, c := range list {
			if !yield(c.name) {
				return
			}
		}
	})
	if near != "" {
		return nil, fmt.Errorf("no command %q: did you mean %s?", word, near)
	}
	return nil, fmt.Errorf("no command %q: see help", word)
}

// doHelp prints what commands do.
func doHelp(t *Terminal, r request) error {
	list := commands
	if r.rest != "" {
		c, err := find(commands, r.rest)
		if err != nil {
			return err
		}
		list = []command{*c}
	}
	for _, c := range list {
		name := strings.TrimSpace(c.name + " " + c.args)
		if c.short != "" {
			name += " (" + strings.Join(strings.Fields(c.short), ", ") + ")"
		}
		t.say("%s: %s", name, c.help)
	}
	return nil
}
