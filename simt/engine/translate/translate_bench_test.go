package translate

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/decoder"
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/program"
	"jacquard/tesla"
	kernels "jacquard/testdata/mesa-kernels"
)

// largeKernel is 1,280 instructions by NVIDIA's compiler, if it is beside the repository.
const largeKernel = "../../../../shared/corpus/decuda/decuda-motion_div/motion_div.sm_10.text.a55606.cubin"

// BenchmarkTranslate reports the time of a translation per instruction, and the size of its code.
func BenchmarkTranslate(b *testing.B) {
	for _, name := range []string{"motion_copy_2ref", "sfumix", "i64mix", "matmul"} {
		data, err := kernels.SM13.ReadFile(name + "/sm_13.cubin")
		if err != nil {
			data, err = os.ReadFile(largeKernel)
		}
		if err != nil {
			b.Log(err)
			continue
		}
		img, err := cubin.Parse(data)
		require.NoError(b, err)
		k := img.Kernel(name)
		p, err := program.Lower(program.Kernel{
			Name: name, Arch: tesla.SM13, Registers: k.Registers, Shared: k.Shared, Local: k.Local,
			Code: decoder.Kernel(tesla.SM13, k.Code),
		})
		require.NoError(b, err)
		for _, l := range []vector.Level{vector.AVX2, vector.AVX512} {
			b.Run(name+"/"+l.String(), func(b *testing.B) {
				size := 0
				for b.Loop() {
					code, _ := translate(l, p, variant{full: true})
					size = len(code)
				}
				n := float64(len(p.Code))
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/instruction")
				b.ReportMetric(float64(size)/n, "bytes/instruction")
			})
		}
	}
}
