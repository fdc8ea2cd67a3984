package schedule_test

import (
	"fmt"

	"jacquard/simt/schedule"
	"jacquard/tesla"
)

// A multiprocessor of GT200 holds eight small blocks at once, and fewer large ones.
func ExampleLimits_BlocksPerWave() {
	limits := schedule.LimitsOf(tesla.SM13)
	fmt.Println(limits.BlocksPerWave(64, 10, 512), limits.BlocksPerWave(256, 16, 512), limits.BlocksPerWave(512, 64, 512))
	// Output: 8 4 0
}
