package simt

// Observers watch a launch one after the other.
type Observers []Observer

// Block asks all of them.
func (l Observers) Block(b *Block) BlockObserver {
	var list blockObservers
	for _, o := range l {
		if watching := o.Block(b); watching != nil {
			list = append(list, watching)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

type blockObservers []BlockObserver

func (l blockObservers) Issue(i *Issue) {
	for _, o := range l {
		o.Issue(i)
	}
}

func (l blockObservers) End() {
	for _, o := range l {
		o.End()
	}
}
