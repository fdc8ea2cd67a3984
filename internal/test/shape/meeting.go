package shape

// Shapes in which the lanes of a warp part before a barrier or a vote.

// test sets a predicate that differs between lanes.
func (w *writer) test(p, i int) {
	w.line("add.u32 %%r1, %%r1, %%tid.x;\nsetp.lt.u32 %%p%d, %%r1, %d;", p, i)
}

func barrierInLoops(w *writer, n int) {
	for i := range n {
		w.line("A%d: add.u32 %%r0, %%r0, %d;", i, i)
	}
	w.line("bar.sync 0;")
	for i := range n {
		w.test(1, i)
		w.line("@%%p1 bra A%d;", n-1-i)
	}
}

func barriersBehindLoops(w *writer, n int) {
	const barriers = 7
	for i := range n {
		w.line("A%d:", i)
		w.test(1, i)
		w.line("@%%p1 bra X;")
		w.test(1, i+1)
		w.line("@%%p1 bra Y%d;", i%barriers)
	}
	for i := range n {
		w.test(1, i)
		w.line("@%%p1 bra A%d;", n-1-i)
	}
	for i := range barriers {
		w.line("Y%d: bar.sync 0;\nadd.u32 %%r0, %%r0, %d;", i, i)
	}
	w.line("X: bar.sync 0;")
}

func barrierAndContinue(w *writer, n int) {
	w.line("A:")
	for i := range n {
		w.test(1, i)
		w.line("@%%p1 bra A;")
	}
	w.line("bar.sync 0;\n@%%p1 bra A;")
}

func barriersAndLabels(w *writer, n int) { meetingsAndLabels(w, n, "bar.sync 0;") }

func votesAndLabels(w *writer, n int) { meetingsAndLabels(w, n, "vote.any.pred %p2, %p1;") }

func meetingsAndLabels(w *writer, n int, meeting string) {
	const each = 10
	for i := range n {
		w.line("L%d:", i)
		w.test(1, i)
		w.line("@%%p1 bra L%d;", (i*7919+13)%n)
		if i%each == 0 {
			w.line("%s", meeting)
		}
	}
}

func votesAndBreaks(w *writer, n int) {
	for i := range n {
		w.line("A%d:", i)
		w.test(1, i)
		w.line("@%%p1 bra B%d;", i)
		w.test(1, i+1)
		w.line("@%%p1 bra X%d;\nadd.u32 %%r0, %%r0, 2;\nB%d:", i, i)
	}
	w.line("vote.any.pred %%p2, %%p1;\n@%%p2 add.u32 %%r0, %%r0, 1;")
	for i := range n {
		w.test(1, i)
		w.line("@%%p1 bra A%d;\nX%d:", n-1-i, n-1-i)
	}
}
