package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// ispass lists the programs of the ISPASS-2009 collection of GPGPU-Sim that need no library of MPI
// or of OpenGL. These programs include the SDK's cutil, and their Makefiles name their sources.
func ispass() *suite {
	s := &suite{
		name: "ispass", title: "ISPASS-2009: has BFS, LIB and others",
		options: list("-O2 -I. -I@sdk/C/common/inc -I@sdk/shared/inc -lcuda"),
		common:  cutil("@sdk/"),
		programs: []*program{
			{name: "LPS", proof: says("rms error = 0.000000")},
			{name: "NQU", proof: says("CPU: 8 queen = 92 ", "GPU: 8 queen = 92 ")},
			{name: "STO", proof: says("Test PASSED")},
			{
				name: "BFS", files: list("data"), args: list("data/graph4096.txt"),
				env: list("JACQUARD_WORKERS=1"), proof: searches(),
			},
			{name: "LIB", keys: "\n", proof: valuesAsHost(tolerance{relative: 1e-4})},
			{
				name: "CP", dir: "CP/benchmarks/cp/src/cuda_short",
				sources: list(
					"main.cu cuenergy_pre8_coalesce.cu ../../../../common/src/parboil.c"),
				options: list("-I../../../../common/include"), args: list("-o out"),
				proof: writes("out", "../../output/short/ref.txt",
					tolerance{relative: 0.005, absolute: 0.005}),
			}, {
				name: "AES", files: list("data"), options: list("-lboost_filesystem"),
				args: list("e 128 data/output.bmp data/key128.txt"), proof: decrypts(),
			}, {
				name: "MUM", files: list("data"), options: list("-include unistd.h -O0"),
				args:  list("data/NC_003997.20k.fna data/NC_003997_q25bp.50k.fna"),
				proof: printsAsWith("-C", matches, tolerance{}),
			},
		},
	}
	for _, p := range s.programs {
		p.required = true
	}
	s.programs = append(s.programs, &program{
		name: "RAY", args: list("64 64"), proof: sameOnReference(sortedLines("checksum=")),
	})
	for _, p := range s.programs {
		if p.dir == "" {
			p.dir = p.name
		}
	}
	return s
}

// decrypts checks AES: the encrypted text differs from the input, and is decrypted to the input.
func decrypts() proof {
	return proof{"what it encrypts, it decrypts", func(t *trial) error {
		const output, hidden = "output_0.dat", "hidden.dat"
		if err := os.Rename(filepath.Join(t.folder, output), filepath.Join(t.folder, hidden)); err != nil {
			return err
		}
		if t.sameBytes(hidden, t.args[2]) == nil {
			return fmt.Errorf("encrypts nothing")
		}
		if _, err := t.again([]string{"d", t.args[1], hidden, t.args[3]}); err != nil {
			return err
		}
		return t.sameBytes(output, t.args[2])
	}}
}

// sameBytes compares two files of a run byte by byte.
func (t *trial) sameBytes(name, other string) error {
	got, err := file(name)(t)
	if err != nil {
		return err
	}
	want, err := file(other)(t)
	if err == nil && got != want {
		err = fmt.Errorf("%s is not %s", name, other)
	}
	return err
}
