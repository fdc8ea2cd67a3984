package launch_test

import (
	"context"
	"encoding/binary"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
	"jacquard/libcuda/driver/knobs"
	"jacquard/study/launch"
	"jacquard/tesla"
)

// parse reads arguments.
func parse(t *testing.T, args []string) []launch.Param {
	t.Helper()
	var params []launch.Param
	for i, arg := range args {
		p, err := launch.ParseArg(arg, i)
		require.NoError(t, err)
		params = append(params, p)
	}
	return params
}

// places returns offset and width of each parameter.
func places(params []launch.Param) [][2]int {
	var out [][2]int
	for _, p := range params {
		out = append(out, [2]int{p.Offset, len(p.Value)})
	}
	return out
}

func TestPlaceDeclared(t *testing.T) {
	pointers := []cubin.Param{{Offset: 0, Size: 8}, {Offset: 8, Size: 8}, {Offset: 16, Size: 4}}
	// {double, float, int}
	structure := []cubin.Param{{Offset: 0, Size: 4}, {Offset: 8, Size: 16}, {Offset: 24, Size: 2}}
	gaps := []cubin.Param{{Offset: 0, Size: 8, Padded: true}, {Offset: 8, Size: 8, Padded: true}, {Offset: 16, Size: 40, Padded: true}}
	for _, c := range []struct {
		name   string
		params []cubin.Param
		args   []string
		want   [][2]int
		err    string
	}{
		{"addresses are as wide as the host's", pointers, []string{"buf:4", "ptr:16", "u32:1"}, [][2]int{{0, 8}, {8, 8}, {16, 4}}, ""},
		{"a structure", structure, []string{"f32:1", "f64:2", "f32:3", "i32:4", "u16:5"}, [][2]int{{0, 4}, {8, 8}, {16, 4}, {20, 4}, {24, 2}}, ""},
		{"gaps", gaps, []string{"u32:1", "buf:4", "u32:1"}, [][2]int{{0, 4}, {8, 8}, {16, 4}}, ""},
		{"none", []cubin.Param{}, nil, nil, ""},
		{"none wanted", []cubin.Param{}, []string{"u32:1"}, nil, "kernel k takes no parameters: arg0 is one argument too many"},
		{"missing", pointers, []string{"buf:4", "buf:4"}, nil, "kernel k takes 3 parameters of 8, 8 and 4 bytes: the arguments fill 2 of them"},
		{"all missing", pointers[:1], nil, nil, "kernel k takes 1 parameter of 8 bytes: the arguments fill 0 of them"},
		{"surplus", pointers, []string{"buf:4:name=a", "buf:4", "u32:1", "u32:2"}, nil, "kernel k takes 3 parameters of 8, 8 and 4 bytes: arg3 is one argument too many"},
		{"too wide", pointers, []string{"buf:4", "buf:4", "u64:1"}, nil, "kernel k takes 3 parameters of 8, 8 and 4 bytes: parameter 2 has 4, arg2 has 8"},
		{"too narrow", pointers, []string{"buf:4", "u32:1", "u64:1"}, nil, "kernel k takes 3 parameters of 8, 8 and 4 bytes: parameter 1 has 8, of which the arguments before arg2 fill 4"},
		{"too narrow at the end", pointers[:2], []string{"buf:4", "u32:1"}, nil, "kernel k takes 2 parameters of 8 and 8 bytes: parameter 1 has 8, of which the arguments fill 4"},
		{"gaps, surplus", gaps[:2], []string{"buf:4", "buf:4", "u32:1"}, nil, "kernel k takes 2 parameters of up to 8 and up to 8 bytes: arg2 is one argument too many"},
	} {
		t.Run(c.name, func(t *testing.T) {
			img := &cubin.Image{Pointer: 8, Kernels: []cubin.Kernel{{Name: "k", Shared: 16 + 40, Params: c.params}}}
			got, err := launch.Place(parse(t, c.args), img, "k", 4)
			if c.err != "" {
				var wrong *launch.ParamsError
				require.ErrorAs(t, err, &wrong)
				require.EqualError(t, err, c.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, places(got))
		})
	}
}

// A text cubin gives only the size of the room.
func TestPlaceInText(t *testing.T) {
	const unsure = "kernel k takes at most 40 bytes of parameters: whether addresses have 4 or 8 of them the file does not say: add --pointer 4 or --pointer 8"
	narrow, wide := [][2]int{{0, 4}, {4, 4}, {8, 4}}, [][2]int{{0, 8}, {8, 8}, {16, 4}}
	three := []string{"buf:4", "buf:4", "u32:1"}
	for _, c := range []struct {
		name          string
		args          []string
		room, pointer int
		want          [][2]int
		err           string
	}{
		{"narrow ones fill the room", three, 12, 0, narrow, ""},
		{"wide ones fill the room", three, 20, 0, wide, ""},
		{"wide ones do not fit", three, 16, 0, narrow, ""},
		{"wide ones fill the room up to a dynamic array", three, 32, 0, wide, ""},
		{"with static arrays", three, 40, 0, nil, unsure},
		{"with static arrays, narrow", three, 40, 4, narrow, ""},
		{"with static arrays, wide", three, 40, 8, wide, ""},
		{"no difference", []string{"u32:1", "f64:2", "buf:1"}, 100, 0, [][2]int{{0, 4}, {8, 8}, {16, 4}}, ""},
		{"natural alignment", []string{"u8:1", "ptr:2", "u16:3", "u64:4", "u32:5"}, 28, 4, [][2]int{{0, 1}, {4, 4}, {8, 2}, {16, 8}, {24, 4}}, ""},
		{"surplus", three, 8, 0, nil, "kernel k takes at most 8 bytes of parameters: the arguments have 12"},
		{"wide surplus", three, 16, 8, nil, "kernel k takes at most 16 bytes of parameters: the arguments have 20"},
	} {
		t.Run(c.name, func(t *testing.T) {
			img := &cubin.Image{Kernels: []cubin.Kernel{{Name: "k", Shared: 16 + c.room}}}
			got, err := launch.Place(parse(t, c.args), img, "k", c.pointer)
			if c.err != "" {
				require.EqualError(t, err, c.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, places(got))
		})
	}
}

// copies is a kernel of a 64-bit host that stores its last parameter through the one before. Both
// are at the compiler's offsets, after addresses of 8 bytes.
var copies = cubin.Kernel{
	Name: "copies", Registers: 2, Shared: 16 + 20, MaxThreads: [3]int{1, 1, 1},
	Params: []cubin.Param{{Offset: 0, Size: 8}, {Offset: 8, Size: 8}, {Offset: 16, Size: 4}},
	Code: []uint32{
		0x1000cc01, 0x0423c780, // mov b32 $r0 s[0x18]
		0x1000d005, 0x0423c780, // mov b32 $r1 s[0x20]
		0xd00e0005, 0xa0c00780, // st b32 g14[$r0] $r1
		0xf0000001, 0xe0000001, // exit
	},
}

func TestRunPacksWideAddresses(t *testing.T) {
	image := cubintest.ELF{Wide: true}.Write(&cubin.Image{Arch: tesla.SM13, Kernels: []cubin.Kernel{copies}})
	j := &launch.Job{Image: image, Kernel: "copies", Grid: [2]int{1, 1}, Block: [3]int{1, 1, 1},
		Params: parse(t, []string{"ptr:0", "buf:4:name=out", "u32:0x12345678"})}
	result, err := launch.Run(context.Background(), knobs.Settings{}, j, io.Discard)
	require.NoError(t, err)
	require.EqualValues(t, 0x12345678, binary.LittleEndian.Uint32(result.Buffers["out"]))
}
