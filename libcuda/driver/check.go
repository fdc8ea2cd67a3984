package driver

import (
	"jacquard/internal/plain"
	"jacquard/simt/check"
)

// found takes in what a checker found, if the check knob asks for findings of its kind. The first of
// those that are alike is told at once.
func (d *Driver) found(f check.Finding) {
	if !d.settings.Check.Has(f.Kind) {
		return
	}
	if _, first := d.findings.Add(f); first && f.Level == check.Error {
		d.log.Note("check: %s", f.String())
	}
}

// reportFindings prints what the checkers found.
func (d *Driver) reportFindings() {
	for _, f := range d.findings.List() {
		plain.Fprintf(d.config.Output, "jacquard: check: %s: %d times\n", f.String(), f.Count)
	}
}
