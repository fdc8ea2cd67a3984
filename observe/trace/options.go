package trace

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// Values selects the values that a trace holds besides pcs, masks and times.
type Values struct {
	Registers bool // written $r, $a and $c
	Addresses bool // of loads, stores and atomics
	Data      bool // registers that stores and atomics write to memory
	States    bool // the divergence policy's states
}

// slots returns the values to record of an instruction with effects e.
func (v Values) slots(e simt.Effects) []Slot {
	var list []Slot
	add := func(k SlotKind, numbers ...int) {
		for _, n := range numbers {
			list = append(list, Slot{Kind: k, Number: n})
		}
	}
	if v.Registers {
		add(Register, e.Registers...)
		add(AddressRegister, e.AddressRegisters...)
		add(Condition, e.Conditions...)
	}
	if v.Addresses && e.Accesses {
		add(Address, 0)
	}
	if v.Data {
		add(Data, e.Data...)
	}
	return list
}

// placesOf returns where simt.Values has each value of an instruction with effects e: an index in
// Rows, or the complement of an index in Conditions.
func placesOf(slots []Slot, e *simt.Effects) (places []int) {
	row := 0
	if e.Accesses {
		row = 1
	}
	for _, s := range slots {
		switch s.Kind {
		case Register:
			places = append(places, row+slices.Index(e.Registers, s.Number))
		case AddressRegister:
			places = append(places, row+len(e.Registers)+slices.Index(e.AddressRegisters, s.Number))
		case Condition:
			places = append(places, ^slices.Index(e.Conditions, s.Number))
		case Address:
			places = append(places, 0)
		case Data:
			places = append(places, row+len(e.Registers)+len(e.AddressRegisters)+slices.Index(e.Data, s.Number))
		}
	}
	return places
}

// has reports whether values of kind k are recorded.
func (v Values) has(k SlotKind) bool {
	switch k {
	case Address:
		return v.Addresses
	case Data:
		return v.Data
	}
	return v.Registers
}

// Range is the numbers from First to Last, both included.
type Range struct{ First, Last uint64 }

// Filter selects the warp-instructions that meet every condition. The zero Filter selects all.
type Filter struct {
	Kernels  []string // by name
	Launches []Range  // by number, from 0
	Blocks   []Range  // by number in the grid, x fastest
	Warps    []Range
	PCs      []Range    // byte addresses
	Ops      []tesla.Op // operations
	First    uint64     // at most so many warp-instructions; 0 is no limit
}

// Options select what a Recorder records. The zero Options record every warp-instruction, without
// values.
type Options struct {
	Values
	Filter
}

// OptionsHelp returns the options in one line.
func OptionsHelp() string {
	return "values=all or regs+addr+data+state, kernel=NAME, launch=0-3, block=0+7, warp=0-1, pc=0x10-0x80, op=NAME or first=N, several with commas between"
}

// ParsePath splits PATH[:OPTIONS], the form of JACQUARD_TRACE. Options follow the last colon after
// the last slash. The error is an *OptionError.
func ParsePath(text string) (file string, o Options, err error) {
	file = text
	if i := strings.LastIndexByte(text, ':'); i > strings.LastIndexByte(text, '/') {
		file = text[:i]
		o, err = ParseOptions(text[i+1:])
	}
	if err == nil && (path.Base(file) == "." || strings.HasSuffix(file, "/")) {
		err = &OptionError{fmt.Sprintf("%q names no file", text), "the path of a file, and perhaps a colon and options"}
	}
	return file, o, err
}

// ParseOptions parses options in the form of ParsePath. The error is an *OptionError.
func ParseOptions(text string) (Options, error) {
	var o Options
	if text == "" {
		return o, nil
	}
	for option := range strings.SplitSeq(text, ",") {
		key, value, ok := strings.Cut(option, "=")
		if !ok {
			return o, &OptionError{fmt.Sprintf("unknown option %q", option), OptionsHelp()}
		}
		if err := o.Set(key, value); err != nil {
			return o, err
		}
	}
	return o, nil
}

// Set sets one option. A list separates its items by +. The error is an *OptionError.
func (o *Options) Set(key, value string) (err error) {
	items := strings.Split(value, "+")
	switch key {
	case "values":
		return o.setValues(items)
	case "kernel":
		if slices.Contains(items, "") {
			return &OptionError{"kernel without a name", "names with + between"}
		}
		o.Kernels = items
	case "launch":
		o.Launches, err = ranges(key, items)
	case "block":
		o.Blocks, err = ranges(key, items)
	case "warp":
		o.Warps, err = ranges(key, items)
	case "pc":
		o.PCs, err = ranges(key, items)
	case "op":
		o.Ops, err = operations(items)
	case "first":
		if o.First, err = strconv.ParseUint(value, 0, 64); err != nil || o.First == 0 {
			return &OptionError{fmt.Sprintf("first=%q", value), "a number above 0"}
		}
	default:
		return &OptionError{fmt.Sprintf("unknown option %q", key), OptionsHelp()}
	}
	return err
}

func (o *Options) setValues(items []string) error {
	o.Values = Values{}
	for _, item := range items {
		switch item {
		case "all":
			o.Registers, o.Addresses, o.Data = true, true, true
		case "none":
		case "regs":
			o.Registers = true
		case "addr":
			o.Addresses = true
		case "data":
			o.Data = true
		case "state":
			o.States = true
		default:
			return &OptionError{fmt.Sprintf("unknown values %q", item), "all, none, regs, addr, data or state, several with + between"}
		}
	}
	return nil
}

// ranges parses numbers and ranges of numbers.
func ranges(key string, items []string) ([]Range, error) {
	var list []Range
	for _, item := range items {
		first, last, ok := strings.Cut(item, "-")
		if !ok {
			last = first
		}
		f, err := strconv.ParseUint(first, 0, 64)
		l, err2 := strconv.ParseUint(last, 0, 64)
		if err != nil || err2 != nil || l < f {
			return nil, &OptionError{fmt.Sprintf("%s=%q", key, item), "a number, or first-last, several with + between"}
		}
		list = append(list, Range{f, l})
	}
	return list, nil
}

// operations parses names of operations, in lower case.
func operations(items []string) ([]tesla.Op, error) {
	var list []tesla.Op
	for _, item := range items {
		op := tesla.OpInvalid
		var names []string
		for o := tesla.OpInvalid + 1; int(o) < tesla.Ops; o++ {
			name := strings.ToLower(o.String())
			names = append(names, name)
			if name == strings.ToLower(item) {
				op = o
			}
		}
		if op == tesla.OpInvalid {
			return nil, &OptionError{fmt.Sprintf("unknown operation %q", item), strings.Join(names, ", ")}
		}
		list = append(list, op)
	}
	return list, nil
}

// in reports whether list is empty or holds v.
func in(list []Range, v uint64) bool {
	return len(list) == 0 || slices.ContainsFunc(list, func(r Range) bool { return r.First <= v && v <= r.Last })
}

// blocks reports whether one of the blocks from first to last is selected.
func (f *Filter) blocks(first, last uint32) bool {
	return len(f.Blocks) == 0 || slices.ContainsFunc(f.Blocks, func(r Range) bool {
		return r.First <= uint64(last) && uint64(first) <= r.Last
	})
}

// Launch reports whether launches of this number and kernel are selected.
func (f *Filter) Launch(number int, kernel string) bool {
	return in(f.Launches, uint64(number)) && (len(f.Kernels) == 0 || slices.Contains(f.Kernels, kernel))
}

// instructions returns whether each instruction is selected; nil if all are.
func (f *Filter) instructions(code []tesla.Instruction) []bool {
	if len(f.PCs) == 0 && len(f.Ops) == 0 {
		return nil
	}
	list := make([]bool, len(code))
	pc := uint64(0)
	for i := range code {
		list[i] = in(f.PCs, pc) && (len(f.Ops) == 0 || slices.Contains(f.Ops, code[i].Op))
		pc += uint64(code[i].Size)
	}
	return list
}

// warps returns the selected warps.
func (f *Filter) warps() (set branch.WarpSet) {
	for w := range lane.MaxWarps {
		if in(f.Warps, uint64(w)) {
			set |= 1 << w
		}
	}
	return set
}
