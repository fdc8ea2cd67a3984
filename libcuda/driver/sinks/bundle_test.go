package sinks

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/bundle"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/simt/mem/texture"
	"jacquard/tesla"
)

// The memory of a launch has each array once, however many textures read it. Textures in linear
// memory and arrays without texels add nothing.
func TestArraysOfTextures(t *testing.T) {
	log := new(spoken)
	b := NewBundle(knobs.File[bundle.Options]{Path: filepath.Join(t.TempDir(), "b")}, log)
	require.NoError(t, b.Open())
	k := &cubin.Kernel{Name: "nothing", Code: []uint32{0x30000003, 0x00000780}, Registers: 1, Shared: 16}
	p, err := load.Program(tesla.SM13, k, simt.Host{})
	require.NoError(t, err)
	b.modules[1] = &recordedModule{module: new(bundle.Module), image: new(cubin.Image), kernels: map[string]*bundle.Kernel{}}
	array := Binding{Texture: texture.Texture{Kind: texture.Array, Texels: []byte{1, 2, 3, 4}}, Array: 7}
	l := &Launch{
		Module: 1, Code: 1, Kernel: k, Request: simt.Launch{Program: p, Global: mem.NewSpace(1 << 20)},
		Textures: []Binding{
			{Texture: texture.Texture{Kind: texture.Linear}}, array, {}, array,
			{Texture: texture.Texture{Kind: texture.Array}, Array: 8},
		},
	}
	d := b.launch(l)
	require.Equal(t, []*bundle.Object{{Kind: bundle.Array, Address: 7, Bytes: []byte{1, 2, 3, 4}}}, d.Memory)
	var arrays []uint32
	for _, x := range d.Textures {
		arrays = append(arrays, x.Array)
	}
	require.Equal(t, []uint32{0, 7, 7, 0}, arrays)
}

// Memory that was a module's is an allocation if the program has it after the module was unloaded.
func TestMemoryOfUnloadedModules(t *testing.T) {
	b := NewBundle(knobs.File[bundle.Options]{Path: filepath.Join(t.TempDir(), "b")}, new(spoken))
	require.NoError(t, b.Open())
	k := &cubin.Kernel{Name: "nothing", Code: []uint32{0x30000003, 0x00000780}, Registers: 1, Shared: 16}
	p, err := load.Program(tesla.SM13, k, simt.Host{})
	require.NoError(t, err)
	space := mem.NewSpace(1 << 20)
	at, err := space.Alloc(4)
	require.NoError(t, err)
	module := func(variables ...bundle.Variable) *recordedModule {
		return &recordedModule{
			module: &bundle.Module{Variables: variables}, image: new(cubin.Image),
			kernels: map[string]*bundle.Kernel{}, context: 5,
		}
	}
	b.modules[1], b.modules[2] = module(bundle.Variable{Name: "v", Address: at, Bytes: 4}), module()
	b.modules[1].of, b.modules[2].of = 1, 2
	kind := func(handle uintptr) bundle.Kind {
		l := &Launch{Context: 5, Module: handle, Code: handle, Kernel: k, Request: simt.Launch{Program: p, Global: space}}
		return b.launch(l).Memory[0].Kind
	}
	require.Equal(t, bundle.OfModule, kind(1))
	require.Equal(t, bundle.OfModule, kind(2), "the module is still loaded")
	b.ModuleUnloads(1)
	require.Equal(t, bundle.Allocation, kind(2))
	b.ContextEmpties(5)
	require.Empty(t, b.modules)
}
