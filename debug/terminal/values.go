package terminal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"jacquard/debug"
	"jacquard/debug/expr"
)

// evaluate returns the value of an expression for the thread that is looked at.
func (t *Terminal) evaluate(text, format string) (*debug.Result, error) {
	target, err := t.stopped()
	if err != nil {
		return nil, err
	}
	return target.Evaluate(debug.Expression{Text: text, Focus: t.focus, Frame: t.frame, Format: format})
}

func doPrint(t *Terminal, r request) error {
	text, format := r.rest, r.format
	if strings.HasPrefix(text, "/") {
		format, text = cut(text[1:])
	}
	if to, value, ok := assignment(text); ok {
		return t.assign(to, value)
	}
	v, err := t.evaluate(text, format)
	if err != nil {
		return err
	}
	t.say("%s = %s", text, v.Text)
	return nil
}

// doLanes prints an expression for all lanes of the warp.
func doLanes(t *Terminal, r request) error {
	target, err := t.stopped()
	if err != nil {
		return err
	}
	v, err := target.Evaluate(debug.Expression{Text: r.rest, Focus: t.focus, Frame: t.frame, Format: r.format, Lanes: true})
	if err != nil {
		return err
	}
	const row = 8
	for l := 0; l < len(v.Lanes); l += row {
		line := ""
		for _, text := range v.Lanes[l:min(l+row, len(v.Lanes))] {
			if text == "" {
				text = "-"
			}
			line += fmt.Sprintf(" %12s", text)
		}
		t.say("%2d:%s", l, line)
	}
	return nil
}

// assignment takes "a = b" apart.
func assignment(text string) (to, value string, ok bool) {
	for i := 1; i+1 < len(text); i++ {
		if text[i] == '=' && text[i+1] != '=' && !strings.ContainsRune("=!<>", rune(text[i-1])) {
			return strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+1:]), true
		}
	}
	return "", "", false
}

func doSet(t *Terminal, r request) error {
	text := r.rest
	word, rest := cut(text)
	switch word {
	case "var", "variable":
		text = rest
	case "cuda":
		return t.setCuda(rest)
	}
	to, value, ok := assignment(text)
	if !ok {
		return errors.New("want set EXPR = VALUE, as set $r3 = 5, or set cuda break_on_launch application|none")
	}
	return t.assign(to, value)
}

// setCuda has cuda-gdb's way to stop at every kernel.
func (t *Terminal) setCuda(text string) error {
	word, value := cut(text)
	if word != "break_on_launch" {
		return fmt.Errorf("no setting cuda %s: want break_on_launch", word)
	}
	for _, p := range t.points {
		if p.Entry && p.Kernel == "" && !p.temporary {
			if value == "none" {
				return doDeletePoints(t, request{rest: strconv.Itoa(p.ID)})
			}
			return nil
		}
	}
	if value == "none" {
		return nil
	}
	return t.addPoint(&point{Breakpoint: debug.Breakpoint{Entry: true}, text: "any kernel"})
}

func (t *Terminal) assign(to, value string) error {
	target, err := t.stopped()
	if err != nil {
		return err
	}
	v, err := target.Assign(debug.Expression{Text: to, Focus: t.focus, Frame: t.frame}, value)
	if err != nil {
		return err
	}
	t.say("%s = %s", to, v.Text)
	return nil
}

// units are the bytes of the units of x.
var units = map[byte]int{'b': 1, 'h': 2, 'w': 4, 'g': 8}

// doExamine prints memory or instructions.
func doExamine(t *Terminal, r request) error {
	count, format, unit := 1, byte('x'), 4
	digits := strings.TrimLeft(r.format, "0123456789")
	if n := r.format[:len(r.format)-len(digits)]; n != "" {
		count, _ = strconv.Atoi(n)
	}
	for _, c := range []byte(digits) {
		switch size := units[c]; {
		case size != 0:
			unit = size
		case strings.IndexByte("xduotcfai", c) >= 0:
			format = c
		default:
			return fmt.Errorf("x/%s: no format %c", r.format, c)
		}
	}
	const most = 1 << 16
	if count < 1 || count > most {
		return fmt.Errorf("x/%s: want 1 to %d units", r.format, most)
	}
	v, err := t.evaluate(r.rest, "")
	if err != nil {
		return err
	}
	if format == 'i' {
		return t.instructions(uint32(v.Bits), count)
	}
	space, address := v.Space, uint32(v.Bits)
	if space == "" && v.Place != nil && v.Place.Space != "" && v.Fields != nil {
		space, address = v.Place.Space, v.Place.Address
	}
	if space == "" {
		space = "global"
	}
	return t.dump(space, address, count, format, unit)
}

// dump prints units of memory, 16 bytes or more a line.
func (t *Terminal) dump(space string, address uint32, count int, format byte, unit int) error {
	data, err := t.target.Read(debug.Memory{Space: space, Focus: t.focus, Address: address, Size: count * unit})
	if err != nil {
		return err
	}
	kind := expr.Uint
	if format == 'f' {
		kind = expr.Float
	}
	typ := &expr.Type{Kind: kind, Size: unit, Name: "unit"}
	perLine := max(16/unit, 1)
	for i := 0; i < count; i += perLine {
		var list []string
		for j := i; j < min(i+perLine, count); j++ {
			v := expr.Value{Type: typ, Data: data[j*unit:][:unit]}
			if format == 'x' {
				var b [8]byte
				copy(b[:], v.Data)
				list = append(list, fmt.Sprintf("0x%0*x", 2*unit, binary.LittleEndian.Uint64(b[:])))
				continue
			}
			list = append(list, v.Format(format))
		}
		t.say("@%s 0x%x:  %s", space, int(address)+i*unit, strings.Join(list, "  "))
	}
	return nil
}

// doLastWrite says who wrote there last.
func doLastWrite(t *Terminal, r request) error {
	target, err := t.stopped()
	if err != nil {
		return err
	}
	w, err := target.LastWrite(debug.Expression{Text: r.rest, Focus: t.focus, Frame: t.frame})
	if err != nil {
		return err
	}
	at := t.stop.Launch.BlockIndex(w.Focus.Block)
	thread, _ := t.stop.Launch.Thread(w.Focus)
	t.say("block (%d,%d), thread (%d,%d,%d), at %s: %s", at[0], at[1], thread[0], thread[1], thread[2], w.Place, w.Text)
	return nil
}
