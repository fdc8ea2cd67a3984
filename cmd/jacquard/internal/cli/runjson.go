package cli

import (
	"cmp"
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/events"
	"jacquard/study/launch"
)

// noLaunch is the object of a job that did not become a launch. It has the fields of a launch, but
// its event is "no launch", so that tools do not count it.
type noLaunch struct {
	Event   string `json:"event"` // "no launch"
	Arch    string `json:"arch,omitempty"`
	Kernel  string `json:"kernel,omitempty"`
	Result  string `json:"result,omitempty"` // if a call of the driver failed
	Message string `json:"message"`
}

// withJSON runs a job, and prints the object of its launch if --json asks for it. kernel and arch
// describe a job that is not launched; both may be empty. A wrong command line is no job.
func (f *runFlags) withJSON(c *cobra.Command, kernel, arch string, run func() error) error {
	f.launched = nil
	err := run()
	if !f.json {
		return err
	}
	var object any
	var usage *statusError
	switch {
	case f.launched != nil:
		object = ofLaunch(f.launched, err)
	case err == nil || errors.As(err, &usage):
		return err
	default:
		object = ofNoLaunch(kernel, arch, err)
	}
	return cmp.Or(json.NewEncoder(c.OutOrStdout()).Encode(object), err)
}

// ofLaunch is the object of a launch. "wrong" is why the run failed although the launch did not, such
// as a buffer that is not as expected.
func ofLaunch(e *events.Launch, err error) any {
	object := struct {
		*events.Launch
		Wrong string `json:"wrong,omitempty"`
	}{Launch: e}
	if err != nil && err != errSaid && e.Succeeded() {
		object.Wrong = err.Error()
	}
	return &object
}

// ofNoLaunch is the object of a job that err kept from being launched.
func ofNoLaunch(kernel, arch string, err error) *noLaunch {
	object := &noLaunch{Event: "no launch", Arch: arch, Kernel: kernel, Message: err.Error()}
	var failed *launch.Error
	if errors.As(err, &failed) {
		object.Result, object.Message = driver.ResultOf(failed).Error(), cmp.Or(failed.Reason(), failed.Call)
	}
	return object
}
