package stats

import (
	"encoding/json"
	"fmt"
)

// jsonFormat writes the format that this package reads.
type jsonFormat struct {
	tail  int64 // where the end of the list stands, jsonTail
	begun bool  // the list has a record
	codes int   // instructions of all kernels so far
}

// jsonTail ends the list of records, and the file.
const jsonTail = "\n]}\n"

func (f *jsonFormat) begin(r *Run) ([]byte, error) {
	head, err := json.Marshal(r.head())
	if err != nil {
		return nil, err
	}
	head = append(head[:len(head)-1], `,"records":[`...)
	f.tail = int64(len(head))
	return append(head, jsonTail...), nil
}

func (f *jsonFormat) launch(l *Launch, first bool) (data []byte, at int64, err error) {
	records := []recordJSON{{Launch: l.record()}}
	if first {
		if f.codes += len(l.Kernel.Code); len(l.Kernel.Code) > mostCode || f.codes > mostCodes || l.Kernel.Number >= mostKernels {
			return nil, 0, fmt.Errorf("kernel %q has %d instructions: more than a file holds", l.Kernel.Name, len(l.Kernel.Code))
		}
		records = []recordJSON{{Kernel: l.Kernel.record()}, {Launch: l.record()}}
	}
	for i := range records {
		text, err := json.Marshal(&records[i])
		if err != nil {
			return nil, 0, err
		}
		if f.begun {
			data = append(data, ',')
		}
		f.begun = true
		data = append(append(data, '\n'), text...)
	}
	at = f.tail
	f.tail += int64(len(data))
	return append(data, jsonTail...), at, nil
}
