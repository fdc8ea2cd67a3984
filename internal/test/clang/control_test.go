package clang

import "sort"

var control = []kernel{
	{name: "collatz", in: 1, out: 1, host: each(collatz)},
	{name: "stackMachine", in: 2, out: 1, host: each(stackMachine)},
	{name: "leavings", in: 1, out: 2, host: each(leavings)},
	{name: "dispatch", in: 1, out: 1, host: each(dispatch)},
	{name: "runs", in: 1, out: 8, host: each(runs)},
	{name: "search", in: 6, out: 1, host: each(search)},
	{name: "binarySearch", in: 1, out: 1, host: each(binarySearch)},
	{name: "parser", in: 4, out: 1, host: each(parser)},
}

func collatz(_ uint32, x, y []uint32) {
	a, steps := x[0]%1000+1, uint32(0)
	for ; a != 1 && steps < 60; steps++ {
		if a%2 == 1 {
			a = 3*a + 1
		} else {
			a /= 2
		}
	}
	y[0] = steps<<16 | a&0xffff
}

func stackMachine(i uint32, x, y []uint32) {
	stack := []uint32{x[1], i}
	push := func(v uint32) { stack = append(stack, v) }
	pop := func() uint32 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		return v
	}
	for k := uint32(0); k < 8 && len(stack) <= 7; k++ {
		code := x[0] >> (4 * k)
		if code&15 == 12 {
			continue
		}
		if code&15 > 12 {
			push(code & 0xff)
			continue
		}
		b := pop()
		a := pop()
		switch code & 15 {
		case 0:
			push(a + b)
		case 1:
			push(a - b)
		case 2:
			push(a * b)
		case 3:
			q, _ := divided(a, b)
			push(q)
		case 4:
			push(b)
			push(a)
		case 5:
			push(a)
			push(^b)
		case 6:
			push(a)
			push(b << (a % 8))
		case 7:
			push(a)
			push(-b)
			push(k)
		case 8, 9, 10:
			push(a)
			push(b)
			push(k)
		case 11:
			push(a)
			push(b ^ a)
		}
		if len(stack) < 2 {
			push(7)
		}
	}
	y[0] = uint32(len(stack))
	for _, v := range stack {
		y[0] = y[0]*31 + v
	}
}

func leavings(_ uint32, x, y []uint32) {
	a := x[0]
	for p := uint32(1); p < 20; p++ {
		if (a+p)%3 == 0 {
			continue
		}
		for q := p; q < 20; q++ {
			y[1]++
			if (a>>(p%16)^q)%11 == 4 {
				break
			}
			if p*q == a%64+20 {
				y[0] = p<<8 | q
				return
			}
		}
	}
	y[1] += 1000
}

func dispatch(_ uint32, x, y []uint32) {
	functions := [4]func(a uint32) uint32{
		func(a uint32) uint32 { return 2 * a },
		func(a uint32) uint32 { return a * a },
		func(a uint32) uint32 { return a>>16 + a&0xffff },
		func(a uint32) uint32 { return a + 3 },
	}
	y[0] = x[0]
	for k := range 6 {
		y[0] = functions[x[0]>>(2*k)&3](y[0])
	}
}

func runs(_ uint32, x, y []uint32) {
	for i := range y {
		y[i] = 0xffffffff
	}
	count := -1
	for k := range 8 {
		v := x[0] >> (4 * k) & 3
		if count < 0 || y[count]>>8 != v {
			count++
			y[count] = v << 8
		}
		y[count]++
	}
}

func search(_ uint32, x, y []uint32) {
	same := func(a, b int) bool { return at8(x, a)&3 == at8(x, b)&3 }
	for at := range 18 {
		y[0] |= bit(same(at, 20) && same(at+1, 21) && same(at+2, 22), at)
	}
}

func binarySearch(_ uint32, x, y []uint32) {
	sorted := []int{-900, -77, -50, -3, 0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 1000}
	y[0] = uint32(sort.SearchInts(sorted, int(int32(x[0])%100)))
}

func parser(_ uint32, x, y []uint32) {
	text := make([]byte, 0, 17)
	for k := range 16 {
		text = append(text, "0123456789-+ ,x7"[at8(x, k)&15])
	}
	sum := int32(0)
	for at := 0; at < len(text); {
		end := at
		for end < len(text) && text[end] != ' ' && text[end] != ',' {
			end++
		}
		sum += number(string(text[at:end]))
		at = end + 1
	}
	y[0] = uint32(sum)
}

// number is the value of a word between blanks and commas, 0 if it is no number. Only its last
// five digits count.
func number(word string) (n int32) {
	sign := int32(1)
	if word != "" && (word[0] == '-' || word[0] == '+') {
		if word[0] == '-' {
			sign = -1
		}
		word = word[1:]
	}
	for _, c := range word {
		if c < '0' || c > '9' {
			return 0
		}
		n = (n*10 + c - '0') % 100000
	}
	return sign * n
}
