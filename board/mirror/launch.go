package mirror

import (
	"errors"
	"fmt"

	"jacquard/libcuda/driver"
	"jacquard/simt"
)

// launched is the data of a launch that is not compared yet.
type launched struct {
	number int // among the process's launches, from 1
	kernel string
	grid   [2]int
	block  [3]int
}

// skip counts a launch that cannot be compared.
func (m *Mirror) skip(why string) { m.report.Skipped[why]++ }

// launchBegins copies the program's writes to mapped memory.
func (c *context) launchBegins(e driver.LaunchBegins) error {
	e.Request.Global.ForgetWritten()
	for _, b := range c.buffers {
		if b.host {
			if err := c.update(b); err != nil {
				return err
			}
		}
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
	m := c.modules[driver.Module(e.Module)]
	kernel, why := c.kernel(m, e)
	if why == "" {
		var err error
		if why, err = c.bind(m, kernel.module, e); err != nil {
			return err
		}
	}
	if why != "" {
		c.m.skip(fmt.Sprintf("kernel %s: %s", e.Kernel.Name, why))
		if e.Result != driver.Success {
			c.over = "a kernel failed that did not run there"
			return nil
		}
		return c.resync()
	}
	c.last = launched{e.Number + 1, e.Kernel.Name, e.Request.Grid, e.Request.Block}
	if c.pending++; c.pending == 1 {
		c.oldest = c.last.number
	}
	err := c.m.other.Launch(kernel.function, e.Request.Grid, e.Request.Block, e.Request.Dynamic, kernel.params)
	if err == nil {
		err = c.m.other.CtxSynchronize()
	}
	c.m.report.Compared++
	switch here, there := e.Result != driver.Success, err != nil; {
	case here && there:
		c.m.note("launch %d, kernel %s, failed on both: here %v, there %s", c.last.number, e.Kernel.Name, e.Result, codeOf(err))
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
