package callers

import (
	"encoding/hex"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What code does with the result of the call before it. The code begins at address 0x1000.
func TestLook(t *testing.T) {
	for _, c := range []struct {
		name, code string
		wide       bool
		want       fate
	}{
		{"compare", "83f800 740d", true, used},
		{"keep in a variable", "8985ecfeffff", true, used},
		{"test", "85c0", true, used},
		{"another call", "488b7df0 e800000000", true, unused},
		{"return", "c9 c3", true, returned},
		{"return at once", "c3", true, returned},
		{"clear", "31c0", true, unused},
		{"a number of arguments", "b000 e800000000", true, unused},
		{"load over", "488b45f0", true, unused},
		{"load through", "488b00", true, used},
		{"store through", "891c03", true, used},
		{"leave for another function", "eb02 ffff 31c0", true, unused},
		{"one side looks", "7402 31c0 85c0", true, used},
		{"both sides do not", "7403 31c0c3 c3", true, returned},
		{"an endless loop", "ebfe", true, unused},
		{"push in 32-bit code", "83ec10 50", false, used},
		{"increment in 32-bit code", "40", false, used},
		{"prefix in 64-bit code", "4889c7", true, used},
		{"another register", "4989fc 4489e7 e800000000", true, unused},
		{"float argument", "f30f1005f80c0000 e800000000", true, unused},
		{"float of the result", "f30f2ac0", true, used},
		{"unknown", "c4e2", true, used},
		{"division", "f7f1", true, used},
		{"call through the register", "ffd0", true, used},
		{"call through another", "ffd3", true, unused},
	} {
		code, err := hex.DecodeString(strings.ReplaceAll(c.code, " ", ""))
		require.NoError(t, err)
		s := search{wide: c.wide, code: func(pc uintptr) []byte {
			if at := int(pc) - 0x1000; at >= 0 && at < len(code) {
				return code[at:]
			}
			return nil
		}}
		require.Equal(t, c.want, s.from(0x1000), c.name)
	}
}

// The sizes of instructions are those that objdump tells. decode knows most of a program's code.
func TestSizes(t *testing.T) {
	objdump, err := exec.LookPath("objdump")
	if err != nil {
		t.Skip("no objdump")
	}
	out, err := exec.Command(objdump, "-d", "-j", ".text", "-w", objdump).Output()
	require.NoError(t, err)
	if !strings.Contains(string(out), "file format elf64-x86-64") {
		t.Skip("another processor")
	}
	known, all := 0, 0
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(line, "\t")
		if len(fields) < 3 {
			continue
		}
		code, err := hex.DecodeString(strings.ReplaceAll(strings.TrimSpace(fields[1]), " ", ""))
		require.NoError(t, err)
		all++
		i, ok := decode(code, true)
		if !ok || i.reads && i.size < len(code) { // unknown, or nobody asks how it goes on
			continue
		}
		known++
		require.Equal(t, len(code), i.size, line)
		if target, found := strings.CutPrefix(fields[2], "jmp "); found && i.goes == jumps {
			at, err1 := strconv.ParseUint(strings.TrimSpace(strings.Split(fields[0], ":")[0]), 16, 64)
			to, err2 := strconv.ParseUint(strings.Fields(target)[0], 16, 64)
			require.NoError(t, err1)
			require.NoError(t, err2)
			require.Equal(t, int64(to), int64(at)+int64(i.size+i.to), line)
		}
	}
	require.Greater(t, all, 1000)
	require.Greater(t, 100*known, 97*all, "%d of %d instructions", known, all)
}
