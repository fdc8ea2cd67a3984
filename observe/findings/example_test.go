package findings_test

import (
	"fmt"
	"os"
	"path/filepath"

	"jacquard/observe/findings"
	"jacquard/simt/check"
)

// A process appends findings to a file as they come. Another makes a report of the file.
func Example() {
	dir, err := os.MkdirTemp("", "findings")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "found.jsonl")
	log, err := findings.OpenLog(path, check.SetOf(check.KindLeak))
	if err != nil {
		fmt.Println(err)
		return
	}
	log.Add(check.Finding{Kind: check.KindLeak, What: "device", Level: check.Error, Launch: -1, Count: 1, Text: "64 bytes are not freed",
		At: check.Site{Role: "allocated", Call: "cudaMalloc", Size: 64}})
	if err := log.End(); err != nil {
		fmt.Println(err)
		return
	}
	report, err := findings.Read(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := report.Text(os.Stdout, &findings.Text{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// error: leak device: 64 bytes are not freed
	//   allocated: cudaMalloc of 64 bytes
	//
	// 1 error; checked: leak
}
