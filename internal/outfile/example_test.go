package outfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"jacquard/internal/outfile"
)

// Two writers ask for one file; the second gets a file beside it.
func Example() {
	path := filepath.Join(os.TempDir(), fmt.Sprintf("jacquard-example-%d.json", os.Getpid()))
	for range 2 {
		f, err := outfile.Create(path)
		if err != nil {
			fmt.Println(err)
			return
		}
		defer os.Remove(f.Name())
		defer f.Close()
		fmt.Println(f.Name() == path)
	}
	// Output:
	// true
	// false
}

func ExampleLog() {
	var out bytes.Buffer
	log := outfile.NewLog("notes", &out, func(err error) { fmt.Println(err) })
	log.Append([]byte("one "))
	log.Fail(errors.New("no more"))
	log.Append([]byte("two"))
	fmt.Println(out.String(), log.Size())
	// Output:
	// notes: no more; nothing more is recorded
	// one  4
}
