package schedule

import (
	"slices"

	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/simt/watch"
)

// late holds values of issues that the recorder is told of later, after registers have changed. The
// recorder then gets the view of another state, into which the values are put.
type late struct {
	list    []lateValues
	rows    []lane.Row   // of list, one after the other
	flags   []lane.Flags // of list, one after the other
	effects []program.Effects
	st      *machine.State
	view    *watch.Block
}

// lateValues are the values of one instruction of a warp.
type lateValues struct {
	time      uint64
	index, w  int
	executed  lane.Mask
	accesses  bool // the first row holds addresses
	row, flag int  // where the values begin in rows and flags
}

// begin prepares for the values of a block.
func (l *late) begin(b *block) {
	l.clear()
	if b.g.keeps == nil || b.mixes {
		return
	}
	if l.st == nil {
		l.st = machine.NewState(b.p.Program, b.st.Warps)
		for i := range b.p.Instructions() {
			l.effects = append(l.effects, b.p.Effects(i))
		}
	}
	l.st.Block = b.st.Block
	l.view = watch.NewBlock(l.st, b.policy, b.g.resident, b.g.masks, &b.now)
}

func (l *late) clear() { l.list, l.rows, l.flags = l.list[:0], l.rows[:0], l.flags[:0] }

// keep keeps the values that the instruction at an index leaves in warp w of st.
func (l *late) keep(st *machine.State, time uint64, index, w int, executed lane.Mask, addresses *lane.Row) {
	l.list = append(l.list, lateValues{time, index, w, executed, addresses != nil, len(l.rows), len(l.flags)})
	if addresses != nil {
		l.rows = append(l.rows, *addresses)
	}
	e := &l.effects[index]
	eachRegister(st, e, w, func(r *lane.Row) { l.rows = append(l.rows, *r) })
	for _, c := range e.Conditions {
		l.flags = append(l.flags, st.Flags[c][w])
	}
}

// tell tells a recorder of the values before a time.
func (l *late) tell(to watch.BlockRecorder, time uint64) {
	if len(l.list) == 0 {
		return
	}
	l.list = slices.DeleteFunc(l.list, func(v lateValues) bool {
		if v.time >= time {
			return false
		}
		var addresses *lane.Row
		if v.accesses {
			addresses = &l.rows[v.row]
			v.row++
		}
		e := &l.effects[v.index]
		eachRegister(l.st, e, v.w, func(r *lane.Row) {
			*r = l.rows[v.row]
			v.row++
		})
		for i, c := range e.Conditions {
			l.st.Flags[c][v.w] = l.flags[v.flag+i]
		}
		to.Keep(l.view, v.index, v.w, v.executed, addresses)
		return true
	})
	if len(l.list) == 0 {
		l.clear()
	}
}

// eachRegister calls do for each register of warp w that an instruction writes or stores.
func eachRegister(st *machine.State, e *program.Effects, w int, do func(*lane.Row)) {
	for _, list := range [...][]int{e.Registers, e.Data} {
		for _, r := range list {
			if r < st.Program.Kernel.Registers {
				do(st.RegisterRow(r, w))
			}
		}
	}
	for _, a := range e.AddressRegisters {
		if machine.WritableAddress(uint8(a)) {
			do(st.Address(uint8(a)).At(w))
		}
	}
}
