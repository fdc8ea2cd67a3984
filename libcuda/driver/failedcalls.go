package driver

import (
	"fmt"

	"jacquard/libcuda/driver/callers"
	"jacquard/simt/check"
)

// failedCall is a call of the runtime library that failed. The code behind the call does not look at
// the result; the program may ask for the last error later.
type failedCall struct {
	site        *callSite
	name, error string // names of the function and the error
}

// checksCalls reports whether anybody wants to know of calls that fail.
func (d *Driver) checksCalls() bool { return d.checks(check.KindAPI) }

// judges reports whether calls and what they leave are judged: not after a kernel has faulted.
func (d *Driver) judges() bool { return !d.faulted.Load() }

// explain says that a finding tells why the present call fails, so that it is no unchecked one.
func (t *Thread) explain() {
	t.d.callMu.Lock()
	defer t.d.callMu.Unlock()
	t.explained = true
}

// explains reports whether a finding told why the last call failed, and forgets it.
func (t *Thread) explains() bool {
	t.d.callMu.Lock()
	defer t.d.callMu.Unlock()
	was := t.explained
	t.explained = false
	return was
}

// judgeResult reports a call of the driver that fails, if the program made it and does not look.
func (t *Thread) judgeResult(s *callSite, result Result) {
	if result == Success || result == ErrNotReady || !t.d.checksCalls() || !t.d.judges() {
		return
	}
	if call := t.d.resolve(s); call.Own && !t.explains() && !call.Looked() {
		t.d.unchecked(failedCall{s, call.Name, result.Error()})
	}
}

// RuntimeFailed says that a call of a runtime library fails, with the names of the function and of
// the error. It is called within that call.
func RuntimeFailed(t *Thread, call, error string) {
	s := t.call()
	if s == nil || t.explains() || !t.d.judges() {
		return
	}
	at := t.d.resolve(s)
	if at.Name == "" {
		at.Name = call
	}
	if error == "cudaErrorInvalidMemcpyDirection" {
		t.d.foundAt(s, "call", wrongKind("the kind of the copy is none that "+call+" has"))
		return
	}
	if at.Looked() {
		return
	}
	t.d.callMu.Lock()
	defer t.d.callMu.Unlock()
	t.unseen = append(t.unseen, failedCall{s, call, error})
}

// ErrorAsked says that the program asks a runtime library for the last error.
func ErrorAsked(t *Thread) {
	t.d.callMu.Lock()
	defer t.d.callMu.Unlock()
	t.unseen = nil
}

// unchecked reports a call that failed.
func (d *Driver) unchecked(f failedCall) {
	name := f.name
	if at := d.resolve(f.site); at.Name != "" {
		name = at.Name
	}
	if name == "<<<>>>" {
		name = "a launch"
	}
	d.foundAt(f.site, "call", check.Finding{
		Kind: check.KindAPI, What: "unchecked",
		Text:   fmt.Sprintf("%s fails with %s, and the program does not look", name, f.error),
		Advice: "Compare the result with success, or ask for the last error behind the call.",
	})
}

// judgeKind reports a copy within the device, or between device memory and host memory, whose
// pointers are not what the copy takes them for. A copy with such a pointer fails: err is nil if
// nothing is wrong with those of the device. The caller holds c's lock.
func (t *Thread) judgeKind(c *context, device []DevicePtr, host []byte, err error) {
	if !t.d.checksCalls() {
		return
	}
	text := ""
	for _, p := range device {
		if addr, ok := address(p); err != nil && (!ok || !c.holds(addr)) && callers.Readable(uintptr(p)) {
			text = fmt.Sprintf("the copy takes 0x%x for device memory, and it is the host's", uint64(p))
		}
	}
	if len(host) > 0 {
		at := addressOf(host)
		if addr := uint32(at); uintptr(addr) == at && c.holds(addr) && !callers.Readable(at) {
			text = fmt.Sprintf("the copy takes 0x%x for memory of the host, and it is the device's", at)
		}
	}
	if text != "" {
		t.explain()
		t.d.foundAt(c.caller, "copy", wrongKind(text))
	}
}

// holds reports whether device memory lies at an address.
func (c *context) holds(addr uint32) bool {
	_, _, ok := c.space.Owner(addr)
	return ok
}

// wrongKind is the finding of a copy whose kind is not that of its pointers.
func wrongKind(text string) check.Finding {
	return check.Finding{
		Kind: check.KindAPI, What: "copy-kind", Text: text,
		Advice: "Give the copy the kind that its source and its destination have.",
	}
}
