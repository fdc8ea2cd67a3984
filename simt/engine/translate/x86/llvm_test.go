package x86

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"flag"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// llvm is the program that proves encodings: go test -llvm llvm-mc.
var llvm = flag.String("llvm", "", "compare with this llvm-mc")

// encodedText is an instruction as text and as our bytes.
type encodedText struct {
	text  string
	bytes []byte
}

// requireLLVM checks our bytes of the instructions against LLVM's. Where they differ, LLVM must
// read the same text back from both: some instructions have two encodings, as a move between
// registers is a load or a store.
func requireLLVM(t *testing.T, attributes string, all []encodedText) {
	t.Helper()
	var in strings.Builder
	for _, e := range all {
		in.WriteString(e.text + "\n")
	}
	out := runLLVM(t, in.String(), "-x86-asm-syntax=intel", "-show-encoding", attributes)
	var theirs [][]byte
	for _, line := range out {
		_, enc, ok := strings.Cut(line, "encoding: [")
		if !ok {
			continue
		}
		enc = strings.NewReplacer("0x", "", ",", "", "]", "").Replace(enc)
		b, err := hex.DecodeString(strings.TrimSpace(enc))
		require.NoError(t, err, line)
		theirs = append(theirs, b)
	}
	require.Len(t, theirs, len(all))
	var differ []int
	for n, e := range all {
		if !bytes.Equal(e.bytes, theirs[n]) {
			differ = append(differ, n)
		}
	}
	t.Logf("%d instructions, %d with another encoding than LLVM's", len(all), len(differ))
	if len(differ) == 0 {
		return
	}
	var ours, them strings.Builder
	for _, n := range differ {
		writeHex(&ours, all[n].bytes)
		writeHex(&them, theirs[n])
	}
	a := runLLVM(t, ours.String(), "-disassemble", "-output-asm-variant=1", attributes)
	b := runLLVM(t, them.String(), "-disassemble", "-output-asm-variant=1", attributes)
	require.Equal(t, len(a), len(b))
	failures := 0
	for k, n := range differ {
		x, _, _ := strings.Cut(a[k+1], "#") // the first line is .text
		y, _, _ := strings.Cut(b[k+1], "#")
		sameKind := (all[n].bytes[0] == 0x62) == (theirs[n][0] == 0x62)
		if strings.TrimSpace(x) != strings.TrimSpace(y) || !sameKind {
			t.Errorf("%s\nours   % x %s\nLLVM's % x %s", all[n].text, all[n].bytes, a[k+1], theirs[n], b[k+1])
			if failures++; failures == 20 {
				t.FailNow()
			}
		}
	}
}

// writeHex writes bytes as LLVM's disassembler reads them, one instruction per line.
func writeHex(w *strings.Builder, b []byte) {
	for _, x := range b {
		w.WriteString(" 0x" + hex.EncodeToString([]byte{x}))
	}
	w.WriteString("\n")
}

// runLLVM runs llvm-mc and returns the lines that it prints.
func runLLVM(t *testing.T, in string, args ...string) (lines []string) {
	t.Helper()
	cmd := exec.Command(*llvm, append([]string{"-triple=x86_64"}, args...)...)
	cmd.Stdin = strings.NewReader(in)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	msg := errs.String()
	require.NoError(t, err, msg[:min(len(msg), 3000)])
	require.Empty(t, msg)
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		lines = append(lines, s.Text())
	}
	return lines
}

// Features of the processor: only the VEX encodings, so that LLVM takes no other, and all.
const (
	vexFeatures = "-mattr=+avx2,+fma,+f16c"
	allFeatures = "-mattr=+avx2,+fma,+f16c,+bmi,+bmi2,+lzcnt,+popcnt,+avx512f,+avx512vl,+avx512bw,+avx512dq," +
		"+avx512cd,+avx512vpopcntdq,+avx512vbmi"
)

// Every operation, in every encoding and form, is what LLVM assembles from its text.
func TestVectorLLVM(t *testing.T) {
	if *llvm == "" {
		t.Skip("wants -llvm llvm-mc: LLVM's assembler, 14 or later")
	}
	for _, evexed := range []bool{false, true} {
		features := allFeatures
		var all []encodedText
		var masks []encodedText
		for n := range rows {
			r := &rows[n]
			for _, e := range encodingsOf(r) {
				if e.evex != evexed {
					continue
				}
				for i := range forms(r, e) {
					et := encodedText{text(r, e, i), encode(e, i)}
					if !evexed && strings.HasPrefix(r.name, "K") {
						masks = append(masks, et)
					} else {
						all = append(all, et)
					}
				}
			}
		}
		if !evexed {
			features = vexFeatures
			requireLLVM(t, allFeatures, masks)
		}
		requireLLVM(t, features, all)
	}
}
