package launch

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ArgError is a bad argument of a user, with the reason.
type ArgError struct {
	Arg     string
	Problem string
}

// Error quotes the argument.
func (e *ArgError) Error() string { return fmt.Sprintf("argument %q: %s", e.Arg, e.Problem) }

// scalars are the types of a value: how many bits, and what sort of number.
var scalars = map[string]struct {
	bits int
	sort byte // 'i' signed, 'u' unsigned, 'f' floating point
}{
	"i8": {8, 'i'}, "i16": {16, 'i'}, "i32": {32, 'i'}, "i64": {64, 'i'},
	"u8": {8, 'u'}, "u16": {16, 'u'}, "u32": {32, 'u'}, "u64": {64, 'u'},
	"f32": {32, 'f'}, "f64": {64, 'f'}, "ptr": {32, 'u'},
}

// ParseArg reads a kernel argument: "TYPE:VALUE" or "buf:SIZE[:OPTION...]". A parameter without a
// name gets "arg" and its number. The caller sets its offset.
func ParseArg(s string, number int) (Param, error) {
	kind, rest, ok := strings.Cut(s, ":")
	if !ok {
		return Param{}, &ArgError{s, "want TYPE:VALUE or buf:SIZE"}
	}
	p := Param{Name: fmt.Sprintf("arg%d", number)}
	var problem error
	if kind == "buf" {
		problem = parseBuffer(&p, rest)
	} else {
		p.Value, problem = parseValue(kind, rest)
		p.Address = kind == "ptr"
	}
	if problem != nil {
		return Param{}, &ArgError{s, problem.Error()}
	}
	return p, nil
}

// parseValue returns the bytes of a number of the type called name. Integers may have any base of
// Go's syntax. An f32 or f64 may be given by its bits as 0x...
func parseValue(name, text string) ([]byte, error) {
	t, ok := scalars[name]
	if !ok {
		return nil, fmt.Errorf("unknown type %q: want i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, ptr or buf", name)
	}
	var bits uint64
	var err error
	switch {
	case t.sort == 'i':
		var v int64
		v, err = strconv.ParseInt(text, 0, t.bits)
		bits = uint64(v)
	case t.sort == 'u', strings.HasPrefix(text, "0x") && !strings.Contains(text, "p"):
		bits, err = strconv.ParseUint(text, 0, t.bits)
	default:
		var v float64
		v, err = strconv.ParseFloat(text, t.bits)
		bits = math.Float64bits(v)
		if t.bits == 32 {
			bits = uint64(math.Float32bits(float32(v)))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%q is no %s", text, name)
	}
	return binary.LittleEndian.AppendUint64(nil, bits)[:t.bits/8], nil
}
