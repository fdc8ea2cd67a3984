package check

import (
	"fmt"

	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// Kind is what a checker looks for.
type Kind string

// The kinds.
const (
	KindMemory Kind = "memory" // accesses and frees of memory that is not there
	KindRace   Kind = "race"   // accesses of two threads that nothing orders
	KindInit   Kind = "init"   // what depends on a value that nobody wrote
	KindSync   Kind = "sync"   // barriers that not all threads reach, waits that never end
	KindAPI    Kind = "api"    // failing calls that nobody looks at, wrong copies
	KindLeak   Kind = "leak"   // what is left when the program ends
)

// Kinds returns all kinds.
func Kinds() []Kind {
	return []Kind{KindMemory, KindRace, KindInit, KindSync, KindAPI, KindLeak}
}

// Level says how bad a finding is.
type Level uint8

// The levels, in ascending order.
const (
	Note  Level = iota + 1 // right on these devices, perhaps not on later ones, or without effect
	Error                  // wrong
)

var levelNames = [...]string{
	Note:  "note",
	Error: "error",
}

// String returns the word for the level.
func (l Level) String() string { return levelNames[l] }

// MarshalText is String for JSON.
func (l Level) MarshalText() ([]byte, error) { return []byte(levelNames[l]), nil }

// UnmarshalText reads what MarshalText wrote.
func (l *Level) UnmarshalText(text []byte) error {
	for i, name := range levelNames {
		if name != "" && name == string(text) {
			*l = Level(i)
			return nil
		}
	}
	return fmt.Errorf("unknown level %q: want note or error", text)
}

// Finding is a mistake at one place, or at one pair of places, with the number of times that it
// happened. Its example is the first in the order of the simulator, whatever the number of workers.
type Finding struct {
	Kind   Kind   `json:"kind"`
	What   string `json:"what"`            // out-of-bounds, read-write, ...
	Space  string `json:"space,omitempty"` // global, shared, local, constant, texture, register
	Level  Level  `json:"level"`
	Kernel string `json:"kernel,omitempty"` // mangled name; "" if no kernel is concerned
	Launch int    `json:"launch"`           // number in the process, from 0; -1 if no kernel is concerned
	Shape  [3]int `json:"shape,omitzero"`   // of the blocks of that launch; zeros if not known
	Count  uint64 `json:"count"`            // how often lanes, or calls, did it
	Text   string `json:"text"`             // what is wrong: a sentence without places
	Advice string `json:"advice,omitempty"` // what to do: a sentence
	At     Site   `json:"at"`
	With   []Site `json:"with,omitempty"` // the other places
}

// Site is a place of a finding, with who was there.
type Site struct {
	Role   string   `json:"role"`             // "read", "write", "atomic", "barrier", "allocated", "freed", "call", ...
	Device *Point   `json:"device,omitempty"` // an instruction of a kernel; nil for calls of the host
	Call   string   `json:"call,omitempty"`   // the function that the host called
	Stack  []Frame  `json:"stack,omitempty"`  // innermost first; the user's line is that of User
	Addr   *uint32  `json:"address,omitempty"`
	Size   uint32   `json:"size,omitempty"`  // bytes of the access of a lane, or of the allocation
	Value  *uint64  `json:"value,omitempty"` // that it read or wrote, where it tells something
	Where  []Thread `json:"threads,omitempty"`
}

// Point is an instruction.
type Point struct {
	PC   uint32 `json:"pc"`   // byte address
	Text string `json:"text"` // disassembled
	// Around are the instructions before and behind it, and itself; nil if they are not known.
	Around []Point `json:"around,omitempty"`
}

// Thread is lanes of a warp at a site.
type Thread struct {
	Block [2]int    `json:"block"`
	Warp  int       `json:"warp"` // within the block
	Lanes lane.Mask `json:"lanes"`
}

// Frame is a function and a line, of device or host.
type Frame struct {
	Function string `json:"function,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Module   string `json:"module,omitempty"` // the host's file of code
	System   bool   `json:"system,omitempty"` // a header or a library of the toolkit, not the user's
}

// User returns the innermost frame of the stack that is the user's, or the innermost frame; ok is
// false if no line is known.
func (s *Site) User() (f Frame, ok bool) {
	for _, f := range s.Stack {
		if !f.System && f.File != "" {
			return f, true
		}
	}
	for _, f := range s.Stack {
		if f.File != "" {
			return f, true
		}
	}
	return Frame{}, false
}

// SiteOf returns the site of an instruction of a kernel.
func SiteOf(p *program.Program, u *program.Op, role string, where ...Thread) Site {
	const beside = 4
	point := &Point{PC: u.PC, Text: u.Ins.String()}
	for i := max(0, int(u.At)-beside); i <= min(int(u.At)+beside, p.Instructions()-1); i++ {
		v := &p.Code[i]
		point.Around = append(point.Around, Point{PC: v.PC, Text: v.Ins.String()})
	}
	return Site{Role: role, Device: point, Stack: stackOf(&p.Kernel, u.PC), Where: where}
}

// stackOf returns the frames of an instruction.
func stackOf(k *program.Kernel, pc uint32) []Frame {
	var stack []Frame
	for _, f := range k.Frames(pc) {
		stack = append(stack, Frame{Function: f.Function, File: f.File, Line: f.Line.Line, System: f.System})
	}
	return stack
}

// String returns one line that names what, where and how bad.
func (f *Finding) String() string {
	s := fmt.Sprintf("%s: %s %s", f.Level, f.Kind, f.What)
	if f.Space != "" {
		s += " (" + f.Space + ")"
	}
	if f.Kernel != "" {
		s += " in kernel " + f.Kernel
	}
	switch u, ok := f.At.User(); {
	case ok:
		s += fmt.Sprintf(" at %s:%d", u.File, u.Line)
	case f.At.Device != nil:
		s += fmt.Sprintf(" at pc 0x%x", f.At.Device.PC)
	case f.At.Call != "":
		s += " at " + f.At.Call
	}
	return s + ": " + f.Text
}
