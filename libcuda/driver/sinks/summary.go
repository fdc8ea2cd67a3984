package sinks

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"

	"jacquard/libcuda/driver/events"
	"jacquard/libcuda/driver/knobs"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// Summary appends one line of JSON per event to a file. Several processes may append to the same
// file.
type Summary struct {
	launched func(events.Launch) // may be nil
	digest   bool
	log      Log

	mu   sync.Mutex
	file *os.File // may be nil
}

// OpenSummary opens the knob's file for appending. launched, unless it is nil, is called with each
// launch's event, on the launch's goroutine.
func OpenSummary(v *knobs.Values, launched func(events.Launch), log Log) (*Summary, error) {
	if v.Summary == "" && launched == nil {
		return nil, nil
	}
	s := &Summary{launched: launched, digest: v.Digest, log: log}
	if v.Summary == "" {
		return s, nil
	}
	var err error
	if s.file, err = os.OpenFile(v.Summary, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666); err != nil {
		return nil, fmt.Errorf("summary: %w", err)
	}
	return s, nil
}

// Init writes the line of a driver that has started.
func (s *Summary) Init(version int, v *knobs.Values) {
	s.append(events.Init{Event: "init", PID: os.Getpid(), Version: version, Devices: v.Models, Policy: v.Policy})
}

// Begin returns a function that writes the line.
func (s *Summary) Begin(l *Launch) (end func()) { return func() { s.launch(l) } }

func (s *Summary) launch(l *Launch) {
	r := &l.Request
	e := events.Launch{
		Event: "launch", PID: os.Getpid(), Number: l.Number, Policy: r.Policy, Device: l.Device, Arch: r.Program.Kernel.Arch.String(),
		Kernel: r.Program.Kernel.Name, Grid: r.Grid, Block: r.Block, Result: l.Result,
	}
	if counted := l.Stats; counted != nil && !r.NoStats {
		e.WarpInstructions = counted.WarpInstructions
		e.ThreadInstructions = counted.ThreadInstructions
		e.AverageActiveLanes = counted.AverageLanes()
		e.Transactions = counted.Memory.Device.Of(r.Program.Kernel.Arch).Count()
		e.Divergence = divergence(counted)
		by := &counted.Exactness
		e.Exactness = events.Exactness{
			Verified:   events.Executed(by[tesla.Verified]),
			Documented: events.Executed(by[tesla.Documented]),
			Unverified: events.Executed(by[tesla.Unverified]),
		}
	}
	if ran := l.Stats; ran != nil {
		e.Seconds = ran.Elapsed.Seconds()
		if ran.InStep != nil {
			e.InStep = ran.InStep.String()
		}
		if ran.Overrun != nil {
			e.Overrun = ran.Overrun.String()
		}
		for _, m := range ran.Missed {
			e.MissedBarriers = append(e.MissedBarriers, m.String())
		}
	}
	if s.digest {
		e.Memory = digests(r.Global)
	}
	if l.Err != nil {
		e.Message = l.Err.Error()
		if refused, ok := errors.AsType[*simt.RefusedError](l.Err); ok {
			e.Refusal = refused.Cause()
		}
	}
	if s.launched != nil {
		s.launched(e)
	}
	s.append(e)
}

// append writes e as one line, in one write.
func (s *Summary) append(e any) {
	if s.file == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	line, err := json.Marshal(e)
	if err == nil {
		_, err = s.file.Write(append(line, '\n'))
	}
	if err != nil {
		s.log.Once("summary: %v", err)
	}
}

func divergence(s *simt.Stats) events.Divergence {
	return events.Divergence{
		ActiveLanes:        s.Active,
		ReissuedJoins:      s.ReissuedJoins,
		Annotations:        s.Annotations,
		JoinAtLanes:        s.JoinAts,
		Merges:             s.Merges,
		MultipleMerges:     s.MultipleMerges,
		Swaps:              s.Swaps,
		MostPaths:          s.MostPaths,
		DeepestStack:       s.DeepestStack,
		PartialBarriers:    s.PartialBarriers,
		PCArbitrations:     s.Arbiter.PC,
		MemoryArbitrations: s.Arbiter.Memory,
		NoArbitrations:     s.Arbiter.Neither,
		BCC:                s.BCC,
		QuadBCC:            s.QuadBCC,
		SCC:                s.SCC,
	}
}

// digestBytes tell contents apart; digests need not withstand forgery.
const digestBytes = 8

// digests returns a digest per allocation, in ascending order of address.
func digests(s *mem.Space) []events.Digest {
	var list []events.Digest
	for address, data := range s.All() {
		sum := sha256.Sum256(data)
		list = append(list, events.Digest{Address: address, Bytes: len(data), SHA256: hex.EncodeToString(sum[:digestBytes])})
	}
	return list
}
