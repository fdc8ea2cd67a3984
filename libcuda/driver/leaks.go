package driver

import (
	"fmt"
	"maps"
	"slices"

	"jacquard/simt/check"
)

// judgeEnd reports the calls that failed unseen, and what the program leaves. It is called when the
// process ends.
func (d *Driver) judgeEnd() {
	d.callMu.Lock()
	unseen := d.unseen
	d.callMu.Unlock()
	d.mu.Lock()
	for _, t := range d.threads {
		unseen = append(unseen, t.unseen...)
	}
	d.mu.Unlock()
	for _, f := range unseen {
		d.unchecked(f)
	}
	if d.checks(check.KindAPI) {
		d.copies.settle(d, func(*asyncCopy) bool { return true }, true)
	}
	if d.checks(check.KindLeak) && d.judges() {
		d.findLeaks()
	}
}

// findLeaks reports what is left in all contexts.
func (d *Driver) findLeaks() {
	for _, o := range d.handles.all() {
		c := o.context()
		c.mu.Lock()
		switch o := o.(type) {
		case *context:
			for _, base := range slices.Sorted(maps.Keys(o.blocks.live)) {
				b := o.blocks.live[base]
				d.leak(b.made, "device", fmt.Sprintf("%d bytes of device memory", b.size))
			}
		case *array:
			if !o.shared {
				d.leak(o.made, "array", "an array")
			}
		case *stream:
			d.leak(o.made, "stream", "a stream")
		case *event:
			d.leak(o.made, "event", "an event")
		}
		c.mu.Unlock()
	}
	for _, b := range d.host.all() {
		if !b.registered {
			d.leak(b.made, "host", fmt.Sprintf("%d bytes of page-locked memory of the host", b.size))
		}
	}
}

// leak reports what a call made.
func (d *Driver) leak(made *callSite, what, name string) {
	d.foundAt(made, "made", check.Finding{
		Kind: check.KindLeak, What: what, Text: name + " left at the end of the program",
		Advice: "Free or destroy what the call makes, on every way to the end.",
	})
}
