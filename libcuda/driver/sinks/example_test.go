package sinks_test

import (
	"fmt"

	"jacquard/cubin"
	"jacquard/libcuda/driver/events"
	"jacquard/libcuda/driver/knobs"
	"jacquard/libcuda/driver/sinks"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

func ExampleSink() {
	s, err := sinks.OpenSummary(new(knobs.Values), func(e events.Launch) {
		fmt.Println(e.Kernel, e.WarpInstructions, e.Result)
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	k := &cubin.Kernel{Name: "nothing", Code: []uint32{0x30000003, 0x00000780}, Registers: 1, Shared: 16}
	p, err := load.Program(tesla.SM13, k, simt.Host{})
	if err != nil {
		fmt.Println(err)
		return
	}
	l := &sinks.Launch{Kernel: k, Request: simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{64, 1, 1}, Global: mem.NewSpace(1 << 20)}}
	end := s.Begin(l)
	l.Stats, l.Err = simt.Run(&l.Request)
	l.Result = "CUDA_SUCCESS"
	end()
	// Output: nothing 2 CUDA_SUCCESS
}
