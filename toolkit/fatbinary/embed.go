package fatbinary

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// embed returns a C file that defines a container, and the wrapper struct that
// __cudaRegisterFatBinary takes, under NVIDIA's names. The container has whole words of 8 bytes.
func embed(container []byte) []byte {
	var b bytes.Buffer
	b.WriteString("__asm__(\n\".section .nv_fatbin, \\\"a\\\"\\n\"\n\".align 8\\n\"\n\"fatbinData:\\n\"\n")
	for data := container; len(data) >= 8; data = data[8:] {
		fmt.Fprintf(&b, "\".quad 0x%016x\\n\"\n", binary.LittleEndian.Uint64(data))
	}
	b.WriteString(`".text\n");
extern const unsigned long long fatbinData[];
static const struct {
	int magic;
	int version;
	const unsigned long long *data;
	void *files;
} __fatDeviceText __attribute__((aligned(8), used, section(".nvFatBinSegment"))) = {
	0x466243b1, 1, fatbinData, 0,
};
`)
	return b.Bytes()
}
