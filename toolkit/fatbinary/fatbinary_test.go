package fatbinary

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/cubin/carrier"
	"jacquard/tesla"
)

// files writes machine code for sm_13 and PTX for sm_20 into the current folder.
func files(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	code, err := cubin.FormatELF(&cubin.Image{Arch: tesla.SM13, Pointer: 8, Kernels: []cubin.Kernel{
		{Name: "k", Registers: 1, Shared: 16, Code: []uint32{0xf0000001, 0xe0000001}, Params: []cubin.Param{}}}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile("k.cubin", code, 0o666))
	require.NoError(t, os.WriteFile("a,b.ptx", []byte(".version 6.3\n.target sm_20\n"), 0o666))
}

// read returns the entries of a file by their targets.
func read(t *testing.T, file string) (targets []string) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	found, err := carrier.Find(data)
	require.NoError(t, err)
	require.Len(t, found.Modules, 1)
	for i := range found.Modules[0].Contents.Entries {
		e := &found.Modules[0].Contents.Entries[i]
		targets = append(targets, e.Container.String()+" "+e.Target()+" "+e.Source)
	}
	return targets
}

// Code that clang calls sm_20 is entered under its real architecture.
func TestRun(t *testing.T) {
	files(t)
	for _, args := range [][]string{
		{"--cuda", "-64", "--create", "k.fatbin", "--image=profile=sm_20,file=k.cubin", "--image=profile=compute_20,file=a,b.ptx"},
		{"-64", "--create=k.fatbin", "--image3=kind=elf,sm=20,file=k.cubin", "--image3=kind=ptx,sm=20,file=a,b.ptx"},
	} {
		require.NoError(t, Run(args, nil))
		require.Equal(t, []string{"ELF cubin sm_13 ", "PTX compute_20 "}, read(t, "k.fatbin"))
	}
	require.NoError(t, Run([]string{"--create=k.fatbin", "--ident=k.cu", "--image=profile=sm_13,file=k.cubin"}, nil))
	require.Equal(t, []string{"ELF cubin sm_13 k.cu"}, read(t, "k.fatbin"))
}

// A C compiler makes an object of what --embedded-fatbin writes.
func TestEmbedded(t *testing.T) {
	files(t)
	require.NoError(t, Run([]string{"--embedded-fatbin=k.c", "--image=profile=sm_13,file=k.cubin"}, nil))
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "cc"
	}
	if _, err := exec.LookPath(cc); err != nil {
		t.Skipf("no C compiler: %v; install one or set CC", err)
	}
	out, err := exec.Command(cc, "-c", "-o", "k.o", "k.c").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, []string{"ELF cubin sm_13 "}, read(t, "k.o"))
}

func TestErrors(t *testing.T) {
	files(t)
	require.NoError(t, Run([]string{"--create=k.fatbin", "--image=profile=sm_13,file=k.cubin"}, nil))
	for _, c := range []struct{ image, want string }{
		{"file=k.cubin", "--image=file=k.cubin: want profile=sm_N, profile=compute_N, or kind=elf|ptx,sm=N"},
		{"profile=sm_13", "--image=profile=sm_13: file= is missing"},
		{"size=3,file=k.cubin", `--image=size=3,file=k.cubin: unknown field "size": want profile, kind, sm and file, which comes last`},
		{"profile=compute_13,file=k.cubin", "k.cubin: ELF cubin cannot be the code of compute_13"},
		{"profile=sm_20,file=a,b.ptx", "a,b.ptx: PTX cannot be the code of sm_20"},
		{"profile=sm_13,file=k.fatbin", "k.fatbin: a fat binary, which cannot be an entry of another"},
		{"profile=sm_13,file=none", "none: open none: no such file or directory"},
	} {
		require.EqualError(t, Run([]string{"--create=x", "--image=" + c.image}, nil), c.want)
	}
	require.EqualError(t, Run([]string{"--image=profile=sm_13,file=k.cubin"}, nil), "no output: use --create FILE; --help lists the options")
	require.EqualError(t, Run([]string{"--create=x", "k.cubin"}, nil), "k.cubin: files come as --image=profile=ARCH,file=FILE")
	require.EqualError(t, Run([]string{"--create=x", "-32"}, nil), "-32: device code belongs to 64-bit programs here: use -64")
	require.NoFileExists(t, "x")
}
