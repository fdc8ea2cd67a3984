package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGoName(t *testing.T) {
	for _, c := range []struct{ typ, name, want string }{
		{"CUresult", "CUDA_SUCCESS", "Success"},
		{"CUresult", "CUDA_ERROR_INVALID_PC", "ErrInvalidPC"},
		{"CUdevice_attribute", "CU_DEVICE_ATTRIBUTE_PCI_BUS_ID", "AttributePCIBusID"},
		{"CUctx_flags", "CU_CTX_MAP_HOST", "CtxMapHost"},
		{"macro", "CU_MEMHOSTALLOC_DEVICEMAP", "MemHostAllocDeviceMap"},
		{"macro", "CUDA_ARRAY3D_LAYERED", "Array3dLayered"},
	} {
		for _, e := range enums {
			if e.c == c.typ {
				require.Equal(t, c.want, e.goName(c.name))
			}
		}
	}
}

func TestBadRows(t *testing.T) {
	out := new(bytes.Buffer)
	require.ErrorContains(t, printConstants(out, []row{{"type": "CUnothing", "name": "X", "value": "1"}}), `unknown type "CUnothing"`)
	require.ErrorContains(t, printConstants(out, []row{{"type": "macro", "name": "X", "value": "one"}}), "X: ")
	require.ErrorContains(t, printDevices(out, []row{{"attribute": "WARP_SIZE"}}), "WARP_SIZE of 8800gtx")
	require.ErrorContains(t, printKnobs(out, []row{{"name": "x", "type": "colour"}}), `unknown type "colour"`)
}
