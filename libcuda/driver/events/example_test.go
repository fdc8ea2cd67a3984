package events_test

import (
	"fmt"
	"os"
	"path/filepath"

	"jacquard/libcuda/driver/events"
)

func ExampleRead() {
	dir, err := os.MkdirTemp("", "events")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "summary.jsonl")
	line := `{"event":"launch","kernel":"vecadd","warp_instructions":121,"average_active_lanes":30,"result":"CUDA_SUCCESS"}` + "\n"
	if err := os.WriteFile(path, []byte(line+line), 0o666); err != nil {
		fmt.Println(err)
		return
	}
	r, err := events.Read(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, k := range r.Kernels() {
		fmt.Println(k.Name, k.Launches, k.WarpInstructions, k.AverageLanes)
	}
	// Output: vecadd 2 242 30
}
