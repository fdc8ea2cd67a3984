package driver

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"

	"jacquard/simt"
	"jacquard/tesla"
)

// summary appends one JSON line an event to a file. Several processes may append to the same.
type summary struct {
	mu   sync.Mutex
	file *os.File // nil: nobody asked
}

// InitEvent is the line written when a driver starts: the proof that a program bound to it.
type InitEvent struct {
	Event   string   `json:"event"` // "init"
	PID     int      `json:"pid"`
	Version int      `json:"version"`
	Devices []string `json:"devices"`
	Policy  string   `json:"policy"`
}

// LaunchEvent is the line written after each launch. Counts are missing if the stats knob is off.
type LaunchEvent struct {
	Event              string     `json:"event"` // "launch"
	PID                int        `json:"pid"`
	Kernel             string     `json:"kernel"`
	Grid               [2]int     `json:"grid"`
	Block              [3]int     `json:"block"`
	WarpInstructions   uint64     `json:"warp_instructions,omitzero"`
	ThreadInstructions uint64     `json:"thread_instructions,omitzero"`
	AverageActiveLanes float64    `json:"average_active_lanes,omitzero"`
	Divergence         Divergence `json:"divergence,omitzero"`
	Exactness          Exactness  `json:"exactness,omitzero"`
	Memory             []Digest   `json:"memory,omitzero"` // what the launch left, if the digest knob is on
	Seconds            float64    `json:"seconds"`
	Result             string     `json:"result"`           // the name of the CUresult
	InStep             string     `json:"in_step,omitzero"` // where the kernel relies on the lanes of a warp running in step
	Overrun            string     `json:"overrun,omitzero"` // the first access beyond an allocation, in words
	Message            string     `json:"message,omitzero"` // why, unless it is CUDA_SUCCESS
}

// Exactness splits what was executed by how certain it is that hardware does the same.
type Exactness struct {
	Verified   Executed `json:"verified"`
	Documented Executed `json:"documented"`
	Unverified Executed `json:"unverified"`
}

// Executed counts instructions.
type Executed struct {
	WarpInstructions   uint64 `json:"warp_instructions"`
	ThreadInstructions uint64 `json:"thread_instructions"`
}

// open begins to append to path; "" is no file.
func (s *summary) open(path string) (err error) {
	if path != "" {
		s.file, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	}
	if err != nil {
		return fmt.Errorf("summary: %w", err)
	}
	return nil
}

func (s *summary) init(d *Driver) {
	e := InitEvent{Event: "init", PID: os.Getpid(), Version: Version, Policy: d.settings.policy}
	for _, device := range d.devices {
		e.Devices = append(e.Devices, device.model.key)
	}
	s.append(d, e)
}

// launch records a launch that ended with result, for the reason err. Stats are nil if it was refused.
func (s *summary) launch(d *Driver, l *simt.Launch, stats *simt.Stats, result Result, err error) {
	if s.file == nil && d.config.Launched == nil {
		return
	}
	e := LaunchEvent{Event: "launch", PID: os.Getpid(), Kernel: l.Program.Kernel.Name, Grid: l.Grid, Block: l.Block, Result: result.Error()}
	if stats != nil {
		e.WarpInstructions = stats.WarpInstructions
		e.ThreadInstructions = stats.ThreadInstructions
		e.AverageActiveLanes = stats.AverageLanes()
		e.Divergence = divergenceOf(stats)
		by := simt.ByExactness(l.Program, stats)
		e.Exactness = Exactness{Executed(by[tesla.Verified]), Executed(by[tesla.Documented]), Executed(by[tesla.Unverified])}
		e.Seconds = stats.Elapsed.Seconds()
		if stats.InStep != nil {
			e.InStep = stats.InStep.String()
		}
		if stats.Overrun != nil {
			e.Overrun = stats.Overrun.String()
		}
	}
	if d.settings.digest {
		e.Memory = digests(l.Global)
	}
	if err != nil {
		e.Message = err.Error()
	}
	if d.config.Launched != nil {
		d.config.Launched(e)
	}
	s.append(d, e)
}

// append writes e as one line, in one write.
func (s *summary) append(d *Driver, e any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return
	}
	line, err := json.Marshal(e)
	if err == nil {
		_, err = s.file.Write(append(line, '\n'))
	}
	if err != nil {
		d.log.once("summary: %v", err)
	}
}
