package cli_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// module has everything that a text cubin can hold.
const module = `architecture {sm_11} abiversion {1} modname {cubin}
	sampler { name = image texunit = 3 }
	consts { name = table segname = const segnum = 0 offset = 16 bytes = 8 mem { 0x00000001 0x00000002 } }
	reloc { name = counter segname = reloc segnum = 14 offset = 4 bytes = 4 }
	code { name = good lmem = 0 smem = 32 reg = 3 bar = 1 bincode { 0x10008a08 0x10008a0c 0xf0000001 0xe0000001 } }
	code { name = bad lmem = 16 smem = 16 reg = 1 bar = 0 bincode { 0x00000002 0x10008a0c 0xf0000001 0xe0000001 } }`

// The tool's own files are known, and the command that reads them is named.
func TestInfoOfOwnFiles(t *testing.T) {
	dir := t.TempDir()
	stats, trace := filepath.Join(dir, "s.json"), filepath.Join(dir, "t.jqt")
	require.Zero(t, jacquard(vecadd("--stats", stats, "--trace", trace)...).status)
	for path, want := range map[string]string{stats: "these are statistics: jacquard stats sums them up", trace: "this is a trace: jacquard trace show prints it"} {
		for _, command := range []string{"info", "dis", "run"} {
			require.Equal(t, answer{1, "", "jacquard: " + path + ": " + want + "\n"}, jacquard(command, path))
		}
	}
}

func TestInfo(t *testing.T) {
	file := temporary(t, "module.cubin", module)
	golden(t, "info.txt", strings.ReplaceAll(fine(t, "info", "--opcodes", file), file, "module.cubin"))
}

func TestInfoExactness(t *testing.T) {
	golden(t, "info-exactness.txt", fine(t, "info", "--exactness", "--arch", "sm_13", kernel("vecadd", "sm_10.cubin")))
}

func TestInfoJSON(t *testing.T) {
	var info struct {
		Container, Arch, Device string
		Kernels                 []struct {
			Name       string
			Operations []struct {
				Op         string
				Documented int
			}
			Problems []struct{ PC int }
		}
	}
	text := fine(t, "info", "--json", "--arch", "sm_13", temporary(t, "module.cubin", module))
	require.NoError(t, json.Unmarshal([]byte(text), &info))
	require.Equal(t, "text cubin", info.Container)
	require.Equal(t, "sm_11", info.Arch)
	require.Equal(t, "sm_13", info.Device)
	require.Len(t, info.Kernels, 2)
	require.Empty(t, info.Kernels[0].Problems)
	require.Len(t, info.Kernels[1].Problems, 1)
}

func TestInfoErrors(t *testing.T) {
	file := temporary(t, "x.ptx", ".version 1.4\n.target sm_10\n.bogus\n.also\n")
	require.Equal(t, answer{1, "", file + ":3:1: found \".bogus\"; expected a directive such as .entry, .func or .global\n"}, jacquard("info", file))
}
