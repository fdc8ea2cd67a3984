package tesla

import "fmt"

// Arch is a compute target. It decides which encodings exist, and the limits of a launch.
type Arch uint8

// The targets of the Tesla generation. SM12 stands for GT215, and so includes the instructions that
// only GT21x has.
const (
	SM10 Arch = iota // G80
	SM11             // G84 .. G98
	SM12             // GT215 .. GT218
	SM13             // GT200
)

var archNames = [...]string{"sm_10", "sm_11", "sm_12", "sm_13"}

// Archs lists every target in ascending order.
var Archs = [...]Arch{SM10, SM11, SM12, SM13}

// String returns the target's name in the form "sm_13".
func (a Arch) String() string { return NameOf(archNames[:], "Arch", a) }

// ParseArch returns the target named s ("sm_10" .. "sm_13").
func ParseArch(s string) (Arch, error) {
	for i, n := range archNames {
		if n == s {
			return Arch(i), nil
		}
	}
	return 0, fmt.Errorf("unknown architecture %q: want sm_10, sm_11, sm_12 or sm_13", s)
}
