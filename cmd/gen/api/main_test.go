package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/api"
)

func newModel(t *testing.T) *model {
	t.Helper()
	table, err := api.Load(os.DirFS("../../../libcuda"))
	require.NoError(t, err)
	return &model{Table: table, servers: map[string]string{"cuInit": "goInit"}}
}

func TestOffers(t *testing.T) {
	type offered struct {
		symbol string
		span
	}
	m := newModel(t)
	for _, c := range []struct {
		name string
		want []offered
	}{
		{"cuInit", []offered{{"cuInit", span{1000, 0}}}},
		{"cuMemAlloc", []offered{{"cuMemAlloc", span{1000, 3020}}, {"cuMemAlloc_v2", span{3020, 0}}}},
		{"cuTexRefSetAddress2D", []offered{
			{"cuTexRefSetAddress2D", span{2020, 3020}},
			{"cuTexRefSetAddress2D_v2", span{3020, 4010}},
			{"cuTexRefSetAddress2D_v3", span{4010, 0}},
		}},
		// Of releases later than the header's newest: declared there, but without their later
		// variants.
		{"cuDevicePrimaryCtxRelease", []offered{{"cuDevicePrimaryCtxRelease", span{6050, 0}}}},
		{"cuIpcOpenMemHandle", []offered{{"cuIpcOpenMemHandle", span{4010, 0}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []offered
			for _, o := range m.offers(c.name) {
				got = append(got, offered{o.Symbol, o.span})
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestConditions(t *testing.T) {
	require.Empty(t, span{}.condition())
	require.Empty(t, span{from: 1010}.condition())
	require.Equal(t, "__CUDA_API_VERSION >= 3020", span{from: 3020}.condition())
	require.Equal(t, "__CUDA_API_VERSION >= 3020 && __CUDA_API_VERSION < 4010", span{3020, 4010}.condition())
}

func TestExports(t *testing.T) {
	var b bytes.Buffer
	printExports(&b, newModel(t))
	require.Contains(t, b.String(), `
CUresult cuInit(unsigned int Flags)
{
	struct cuInit_arguments a = {Flags};
	return jacquard_call(CALL_cuInit, "cuInit", &a, sizeof a);
}
`)
	require.Contains(t, b.String(), `
CUresult cuCtxSynchronize(void)
{
	return jacquard_call(CALL_cuCtxSynchronize, "cuCtxSynchronize", NULL, 0);
}
`)
}

func TestServersKnowWhatWorks(t *testing.T) {
	var b bytes.Buffer
	printServers(&b, newModel(t))
	require.Contains(t, b.String(), `
static CUresult serve_cuInit(uint64_t thread, const union jacquard_arguments *a)
{
	return goInit(thread, a->cuInit.Flags);
}
`)
	require.Contains(t, b.String(), `
static CUresult serve_cuCtxSynchronize(uint64_t thread, const union jacquard_arguments *a)
{
	(void)a;
	return goNotSupported(thread, "cuCtxSynchronize");
}
`)
}

func TestServers(t *testing.T) {
	m := newModel(t)
	dir := t.TempDir()
	write := func(text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte(text), 0o666))
	}
	write("//export goInit\nfunc goInit() {}\n//export goThreadEnd\n//\n// //export goMemAlloc\n")
	found, err := servers(dir, m.Table)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"cuInit": "goInit", "jacquard_thread_end": "goThreadEnd"}, found)

	// Functions of wide variants serve narrow ones with wider numbers, but not with other pointers.
	write("//export goMemFreeV2\n//export goMemAllocV2\n")
	found, err = servers(dir, m.Table)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"cuMemFree": "goMemFreeV2", "cuMemFree_v2": "goMemFreeV2", "cuMemAlloc_v2": "goMemAllocV2"}, found)

	write("//export goNoSuchCall\n")
	_, err = servers(dir, m.Table)
	require.ErrorContains(t, err, "goNoSuchCall is in no row of api.csv")
}

func TestGeneratedFilesAreCurrent(t *testing.T) {
	files, err := generate("../../../libcuda")
	require.NoError(t, err)
	require.Len(t, files, 15)
	for path, text := range files {
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, string(text) == string(got), "%s: run make generate", path)
	}
}
