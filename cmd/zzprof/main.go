package main

import (
	"fmt"
	"os"
	"runtime/pprof"
	"time"

	"jacquard/cubin/ptx"
	"jacquard/cubin/ptx/compile"
	"jacquard/tesla"
)

func main() {
	b, _ := os.ReadFile(os.Args[1])
	m, err := ptx.Parse("k", b)
	if err != nil {
		panic(err)
	}
	w, _ := os.Create(os.Args[2])
	pprof.StartCPUProfile(w)
	last := time.Now()
	o := compile.Options{Arch: tesla.SM13, Observe: func(k, p string, f fmt.Stringer) {
		if d := time.Since(last); d > 50*time.Millisecond {
			fmt.Println(p, d)
		}
		last = time.Now()
	}}
	_, err = compile.Compile(m, o)
	if d := time.Since(last); d > 50*time.Millisecond {
		fmt.Println("emit", d)
	}
	pprof.StopCPUProfile()
	if err != nil { fmt.Println(err) }
}
