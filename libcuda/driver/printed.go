package driver

import (
	"bufio"
	"slices"

	"jacquard/internal/debuginfo"
	"jacquard/ptx/output"
)

// printed is the output of a launch in the buffer of its module.
type printed struct {
	m       *module
	at      DevicePtr
	used    []byte
	records []output.Record
	lost    int
}

// printed reads the buffer after a launch; nil if there is none, or nothing in it.
func (f *function) printed() *printed {
	v, ok := f.module.data.Variables[output.Name]
	if !ok || len(v.Bytes) != output.Size || output.Used(v.Bytes) == 0 {
		return nil
	}
	p := &printed{m: f.module, at: DevicePtr(v.Address), used: v.Bytes[:output.Used(v.Bytes)]}
	p.records, p.lost = output.Records(v.Bytes)
	return p
}

// asserted reports whether an assertion failed.
func (p *printed) asserted() bool {
	if p == nil {
		return false
	}
	return slices.ContainsFunc(p.records, func(r output.Record) bool { return r.Assert })
}

// print prints all records and clears the buffer for the next launch.
func (p *printed) print(kernel string) {
	if p == nil {
		return
	}
	d := p.m.ctx.d
	out, failures := bufio.NewWriter(d.config.Stdout), bufio.NewWriter(d.config.Stderr)
	pointer := 8
	if p.m.image.Pointer == 4 {
		pointer = 4
	}
	for _, r := range p.records {
		if r.Assert {
			failures.WriteString(r.Failure(p.text))
			continue
		}
		out.Write(output.Append(nil, p.text(uint64(r.Format)), pointer, r.Args, p.text))
	}
	out.Flush()
	failures.Flush()
	if p.lost > 0 {
		d.log.Error("kernel %s: %d calls of printf found no room in the buffer of %d bytes", kernel, p.lost, output.Room)
	}
	clear(p.used)
	p.m.ctx.wrote(p.at, p.used)
}

// text returns the string at a generic address.
func (p *printed) text(at uint64) string {
	if bank := p.m.data.Banks[0]; at >= debuginfo.WindowConst && at-debuginfo.WindowConst < uint64(len(bank)) {
		return output.Text(bank[at-debuginfo.WindowConst:])
	}
	var s []byte
	for len(s) < output.MostText {
		b, err := p.m.ctx.space.Bytes(uint32(at)+uint32(len(s)), 1)
		switch {
		case at>>32 != 0, err != nil && len(s) == 0:
			return output.Missing(at)
		case err != nil || b[0] == 0:
			return string(s)
		}
		s = append(s, b[0])
	}
	return string(s)
}
