package nvcc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/toolkit/options"
)

func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range table {
		require.NotEmpty(t, o.Help, o.Long)
		require.Equal(t, o.Kind == options.Flag, o.Value == "", o.Long)
		for _, name := range []string{o.Long, o.Short} {
			require.False(t, seen[name] && name != "" && o.Long != o.Short, "%s stands twice", name)
			seen[name] = true
		}
	}
}

// Each option that is not "without effect" has one.
func TestOptionsHaveEffects(t *testing.T) {
	values := map[string]string{
		"x": "cu", "gpu-architecture": "sm_10", "gpu-code": "sm_13", "generate-code": "arch=compute_10,code=sm_10",
		"relocatable-device-code": "true", "ftz": "true", "prec-div": "true", "prec-sqrt": "true", "fmad": "false", "cudart": "none",
		"default-stream": "per-thread", "Werror": "all-warnings", "machine": "64",
	}
	plain, err := read([]string{"k.cu", "k2.cu"})
	require.NoError(t, err)
	for _, o := range table {
		if o.Help == without || o.Long == "expt-relaxed-constexpr" || o.Long == "expt-extended-lambda" || o.Long == "machine" || o.Long == "link" {
			continue
		}
		value, ok := values[o.Long]
		if !ok && o.Kind != options.Flag {
			value = "7"
		}
		args := []string{"k.cu", "k2.cu", "--" + o.Long}
		if o.Kind != options.Flag {
			args = append(args, value)
		}
		switch o.Long {
		case "gpu-code":
			args = append(args, "-arch=compute_12")
		case "output-file":
			args = append(args, "-link")
		}
		got, err := read(args)
		if err == nil {
			require.NotEqual(t, plain, got, "%s changes nothing", o.Long)
		}
	}
}

func TestParse(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		line  string
		check func(s *settings) any
		want  any
	}{
		{"k.cu", func(s *settings) any { return s.phase }, toProgram},
		{"-c k.cu", func(s *settings) any { return s.phase }, toObject},
		{"-dc k.cu", func(s *settings) any { return s.phase }, toObject},
		{"-dc -rdc=true k.cu", func(s *settings) any { return len(s.warnings) }, 1},
		{"-rdc=false k.cu", func(s *settings) any { return len(s.warnings) }, 0},
		{"-DA -D B=1 -Iinc --include-path=a,b -isystem sys -include f.h -UC k.cu", func(s *settings) any { return s.headers },
			[]string{"-DA", "-DB=1", "-Iinc", "-Ia", "-Ib", "-isystem", "sys", "-include", "f.h", "-UC"}},
		{`-Xcompiler "-Wall -O2",-g --compiler-options '-DX="a b"' k.cu`, func(s *settings) any { return s.forward },
			[]string{"-Wall", "-O2", "-g", "-DX=a b"}},
		{"-Xptxas=-v -maxrregcount 16 --ptxas-options -O3 -res-usage k.cu", func(s *settings) any { return s.assembler },
			[]string{"-v", "--maxrregcount=16", "-O3", "-v"}},
		{"-Xlinker -rpath -Xlinker=. k.cu", func(s *settings) any { return s.linker }, []string{"-Xlinker", "-rpath", "-Xlinker", "."}},
		{"-lm -L/lib -l a,b k.cu", func(s *settings) any { return s.libraries }, []string{"-lm", "-L/lib", "-la", "-lb"}},
		{"-g -g=false -ptx=false -pg k.cu", func(s *settings) any { return []any{s.host, s.phase} }, []any{[]string{"-pg"}, toProgram}},
		{"-O3 -g -pg k.cu", func(s *settings) any { return s.host }, []string{"-O3", "-g", "-pg"}},
		{"-ftz=true -prec-div=false -use_fast_math -fmad=false k.cu", func(s *settings) any { return s.math },
			mathematics{fast: true, flush: &yes, divide: &no}},
		{"-cudart shared -shared k.cu", func(s *settings) any { return []any{s.runtime, s.shared} }, []any{"shared", true}},
		{"-m64 --machine 64 -Xcudafe --diag_suppress=1 --expt-relaxed-constexpr -Wno-deprecated-gpu-targets k.cu",
			func(s *settings) any { return s.inputs }, []string{"k.cu"}},
		{"--default-stream per-thread k.cu", func(s *settings) any { return s.headers }, []string{"-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"}},
		{"-run -run-args a,b k.cu", func(s *settings) any { return s.arguments }, []string{"a", "b"}},
	} {
		s, err := read(shell(c.line))
		require.NoError(t, err, c.line)
		require.Equal(t, c.want, c.check(s), c.line)
	}
}

// read understands a command line.
func read(args []string) (*settings, error) {
	given, _, err := tool.Parse(args, nil)
	if err != nil {
		return nil, err
	}
	return parse(given)
}

// shell takes a line apart as a shell does, which removes one layer of quotes.
func shell(line string) []string { return options.Words(line) }

func TestParseErrors(t *testing.T) {
	for line, want := range map[string]string{
		"":                                  "no input files; --help lists the options",
		"-Wall k.cu":                        "-Wall: unknown option; --help lists the options",
		"-m32 k.cu":                         "-m32: device code belongs to 64-bit programs here: use -m64",
		"-dlink k.o":                        "-dlink: machine code of sm_1x cannot be linked: compile the device half as one file",
		"-c -o k.o a.cu b.cu":               "-o k.o: 2 inputs have as many results; leave -o out, or use -odir",
		"-arch=sm_14 k.cu":                  `architecture "sm_14" is not known: want sm_N or compute_N, N one of [10 11 12 13 20 21 30 32 35 37 50 52 53 60 61 62 70 72 75 80 86 87 88 89 90 100 101 103 110 120 121]`,
		"-code=sm_13 k.cu":                  "-code wants -arch: say what virtual architecture it is made of",
		"-arch=compute_13 -code=sm_10 k.cu": "code sm_10 cannot be made of compute_13, which is later",
		"-gencode sm_13 k.cu":               "-gencode sm_13: want arch=compute_N,code=sm_N, or more codes after commas",
		"-cubin -arch=compute_13 k.cu":      "-cubin: want one real architecture, such as -arch=sm_13",
		"-ptx -gencode arch=compute_10,code=sm_10 -gencode arch=compute_13,code=sm_13 k.cu": "-ptx: 2 virtual architectures have as many results; name one",
		"-x fortran k.f":             "-x fortran: want cu, c++ or c",
		"-cudart dynamic k.cu":       "-cudart dynamic: want static, shared or none",
		"-x o k.cu":                  "-x o: want cu, c++ or c",
		"-fmad=perhaps k.cu":         "-fmad=perhaps: want true or false",
		"-run -c k.cu":               "-run: only a linked program runs",
		"--default-stream none k.cu": "-default-stream none: want legacy or per-thread",
	} {
		_, err := read(shell(line))
		require.EqualError(t, err, want, line)
	}
}

func TestPlanErrors(t *testing.T) {
	for line, want := range map[string]string{
		"k.txt":      "k.txt: what to do with it? its name ends in none of .cu .cpp .c .ptx .o .a .so; -x cu makes it CUDA",
		"-ptx m.cpp": "m.cpp: -ptx wants CUDA: a host file has no device half",
		"k.ptx":      "k.ptx: PTX becomes machine code alone: use -cubin or -fatbin",
	} {
		s, err := read(shell(line))
		require.NoError(t, err)
		_, err = s.plan(Toolkit{}, "")
		require.EqualError(t, err, want)
	}
}

func TestTargets(t *testing.T) {
	for line, want := range map[string][]target{
		"":                 {{virtual: 13, clang: 20, real: []int{13}}},
		"-arch=sm_10":      {{virtual: 10, clang: 20, real: []int{10}}},
		"-arch=compute_11": {{virtual: 11, clang: 20}},
		"-arch compute_10 -code sm_10,sm_13,compute_10": {{virtual: 10, clang: 20, real: []int{10, 13}}},
		"-arch=sm_20":              {{virtual: 20, clang: 20, real: []int{13}, optional: true}},
		"--gpu-architecture sm_75": {{virtual: 75, clang: 75, real: []int{13}, optional: true}},
		"-arch=native":             {{virtual: 13, clang: 20, real: []int{13}}},
		"-arch=all-major":          {{virtual: 13, clang: 20, real: []int{13}}},
		"-arch=sm_90a":             {{virtual: 75, clang: 75, real: []int{13}, optional: true}},
		"-arch=compute_120f":       {{virtual: 75, clang: 75, optional: true}},
		"-gencode arch=compute_80,code=[sm_80,sm_86,compute_80] -gencode arch=compute_100,code=sm_100": {{virtual: 75, clang: 75, real: []int{13}, optional: true}},
		"-gencode arch=compute_60,code=sm_80 -gencode arch=compute_90a,code=sm_90a":                    {{virtual: 60, clang: 60, real: []int{13}, optional: true}},
		"-gencode arch=compute_50,code=sm_50 -gencode=arch=compute_30,code=[sm_30,sm_35,compute_30]":   {{virtual: 30, clang: 30, real: []int{13}, optional: true}},
		"-gencode arch=compute_20,code=compute_20 -gencode arch=compute_20,code=sm_21":                 {{virtual: 20, clang: 20, real: []int{13}, optional: true}},
		"-gencode arch=compute_13,code=sm_13 -gencode arch=compute_10,code=sm_10 -gencode arch=compute_20,code=sm_20": {
			{virtual: 10, clang: 20, real: []int{10}}, {virtual: 13, clang: 20, real: []int{13}}},
	} {
		s, err := read(append(shell(line), "k.cu"))
		require.NoError(t, err, line)
		require.Equal(t, want, s.targets, line)
	}
}
