package replay

import (
	"bytes"
	"fmt"

	"jacquard/internal/difference"
	"jacquard/observe/bundle"
)

// Difference is one difference between a launch and its recording.
type Difference struct {
	Object *bundle.Object         // nil: the launch ended in another way
	Name   string                 // the object's name in messages
	Memory *difference.Difference // in the object's content
	Got    bundle.Outcome         // the launch's end, if Object is nil
	Want   bundle.Outcome
}

// String describes the difference.
func (d *Difference) String() string {
	if d.Object == nil {
		return fmt.Sprintf("ended with %s, want %s", outcome(d.Got), outcome(d.Want))
	}
	return fmt.Sprintf("%s, offset %#x: %s", d.Name, d.Memory.Offset, d.Memory)
}

func outcome(o bundle.Outcome) string {
	if o.Message == "" {
		return o.Result
	}
	return fmt.Sprintf("%s (%s)", o.Result, o.Message)
}

// compare adds to r the differences of after. After a launch that failed, memory holds unspecified
// values and is not compared.
func (r *Result) compare(after *After) {
	l := r.Launch
	if after.Result != l.Result {
		r.Differences = append(r.Differences, Difference{Got: after.Outcome, Want: l.Outcome})
		return
	}
	if l.Result != bundle.Success {
		return
	}
	for i, o := range l.Memory {
		if after.Memory[i] == nil {
			continue
		}
		if d := difference.FindWithSlack(after.Memory[i], Expected(l, o), o.Slack); d != nil {
			r.Differences = append(r.Differences, Difference{Object: o, Name: Name(l, o), Memory: d})
		}
	}
}

// Expected returns an object's content after a recorded launch. It may be the object's own memory.
func Expected(l *bundle.Launch, o *bundle.Object) []byte {
	content, own := o.Bytes, false
	for _, run := range l.Outputs {
		if run.Object != o {
			continue
		}
		if !own {
			content, own = bytes.Clone(content), true
		}
		copy(content[run.Offset:], run.Bytes)
	}
	return content
}

// Name describes an object by its role in a launch: the variables in it, or the parameter that
// points at it.
func Name(l *bundle.Launch, o *bundle.Object) string {
	name := o.String()
	for _, v := range l.Kernel.Module.Variables {
		if o.Kind == bundle.OfModule && v.Address == o.Address {
			return fmt.Sprintf("%s (%s)", name, v.Name)
		}
	}
	for at := 0; o.Kind != bundle.Array && at+4 <= len(l.Params); at += 4 {
		if v := word(l.Params[at:]); v >= o.Address && uint64(v-o.Address) < uint64(len(o.Bytes)) {
			return fmt.Sprintf("%s (parameter %#x)", name, at)
		}
	}
	return name
}
