package mirror

import (
	"errors"
	"fmt"

	"jacquard/libcuda/driver"
	"jacquard/simt"
)

// skip counts a launch that cannot be compared.
func (m *Mirror) skip(why string) { m.report.Skipped[why]++ }

// launchBegins copies the program's writes to mapped memory.
func (c *context) launchBegins(e driver.LaunchBegins) error {
	e.Request.Global.ForgetWritten()
	if err := c.resync(true); err != nil {
		return err
	}
	c.noteLost()
	return nil
}

// launchEnds runs a kernel there after it has run here, and compares if a comparison is due.
func (c *context) launchEnds(e *driver.LaunchEnds) error {
	switch {
	case e.Refused:
		c.m.skip("the simulator refused it")
		return nil
	case endedHere(e.Err):
		c.m.skip("the simulator ended it")
		c.over = "a kernel did not come to its end"
		return nil
	}
	function, params, err := c.kernel(e)
	if err != nil {
		c.m.skip(fmt.Sprintf("kernel %s: %v", e.Kernel.Name, err))
		if e.Result != driver.Success {
			c.over = "a kernel failed that did not run there"
			return nil
		}
		return c.resync(false)
	}
	last := Difference{First: e.Number + 1, Launch: e.Number + 1, Kernel: e.Kernel.Name, Grid: e.Request.Grid, Block: e.Request.Block}
	if c.pending++; c.pending > 1 {
		last.First = c.last.First
	}
	c.last = last
	err = c.m.other.Launch(function, e.Request.Grid, e.Request.Block, e.Request.Dynamic, params)
	c.m.report.Compared++
	switch here, there := e.Result != driver.Success, err != nil; {
	case here && there:
		c.m.note("launch %d, kernel %s, failed on both: here %v, there %s", last.Launch, e.Kernel.Name, e.Result, codeOf(err))
		c.over = "a kernel failed, on both"
		return nil
	case here || there:
		c.m.differ(c.outcomes(e, err))
		return nil
	}
	return c.compareDue(e)
}

// endedHere reports whether a launch ended for a reason of the simulator's own, which says nothing
// about other drivers.
func endedHere(err error) bool {
	var fault *simt.Fault
	if !errors.As(err, &fault) {
		return err != nil // memory of the program that only this driver cannot access
	}
	switch fault.Kind {
	case simt.FaultWatchdog, simt.FaultInterrupt, simt.FaultLivelock, simt.FaultBarrier, simt.FaultUnsupported, simt.FaultInternal:
		return true
	}
	return false
}
