package cli_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
	"jacquard/tesla"
)

// The arguments must be the parameters that the kernel takes, as far as its container says.
func TestRunParameters(t *testing.T) {
	exit := []uint32{0xf0000001, 0xe0000001}
	declared := temporary(t, "declared.cubin", string(cubintest.ELF{Wide: true}.Write(&cubin.Image{Arch: tesla.SM10, Kernels: []cubin.Kernel{{
		Name: "k", Registers: 1, Shared: 16 + 12, Code: exit, Params: []cubin.Param{{Offset: 0, Size: 8}, {Offset: 8, Size: 4}},
	}}})))
	text := temporary(t, "text.cubin", `architecture {sm_10} code { name = k lmem = 0 smem = 72 reg = 1 bar = 0 bincode { 0xf0000001 0xe0000001 } }`)
	for _, c := range []struct {
		args []string
		want string // "" if the kernel runs
	}{
		{[]string{declared, "--arg", "buf:1M", "--arg", "u32:1"}, ""},
		{[]string{declared, "--arg", "buf:1M"}, "kernel k takes 2 parameters of 8 and 4 bytes: the arguments fill 1 of them"},
		{[]string{declared}, "kernel k takes 2 parameters of 8 and 4 bytes: the arguments fill 0 of them"},
		{[]string{declared, "--arg", "buf:1K", "--arg", "u32:1", "--arg", "u32:1"}, "kernel k takes 2 parameters of 8 and 4 bytes: arg2 is one argument too many"},
		{[]string{text, "--arg", "u32:1"}, ""},
		{[]string{text, "--arg", "buf:4", "--arg", "u32:1"}, "kernel k takes at most 56 bytes of parameters: whether addresses have 4 or 8 of them the file does not say: add --pointer 4 or --pointer 8"},
		{[]string{text, "--arg", "buf:4", "--arg", "u32:1", "--pointer", "8"}, ""},
		{[]string{text, "--arg", "buf:4", "--pointer", "16"}, "--pointer 16: want 4 or 8 bytes"},
	} {
		for _, command := range [][]string{{"run"}, {"compare", "--policies", "nvidia"}} {
			a := jacquard(append(command, c.args...)...)
			if c.want == "" {
				require.Equal(t, 0, a.status, a.err)
				continue
			}
			require.Equal(t, answer{2, "", "jacquard: " + c.want + "\n"}, a)
		}
	}
	require.Contains(t, fine(t, "run", "--help"), "k, m and g (or K, M, G) are 2^10, 2^20 and 2^30 bytes")
}
