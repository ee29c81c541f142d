package diff

// none is the partner of what is in one plan only.
const none = -1

// pairing says which of two lists are the same.
type pairing struct {
	toNew, toOld    []int  // none: only here
	twice, newTwice []bool // the name is there several times
}

// pairNames pairs equal names; of a name that is there several times the first with the
// first, the second with the second.
func pairNames(from, to []string) pairing {
	p := pairing{make([]int, len(from)), make([]int, len(to)), repeated(from), repeated(to)}
	places := map[string][]int{}
	for j, name := range to {
		p.toOld[j] = none
		places[name] = append(places[name], j)
	}
	for i, name := range from {
		p.toNew[i] = none
		if list := places[name]; len(list) > 0 {
			p.pair(i, list[0])
			places[name] = list[1:]
		}
	}
	return p
}

// repeated tells of each name whether it is there several times.
func repeated(list []string) []bool {
	times := map[string]int{}
	for _, name := range list {
		times[name]++
	}
	out := make([]bool, len(list))
	for i, name := range list {
		out[i] = times[name] > 1
	}
	return out
}

// gone tells whether the name of i is in the old list only, once: i may be renamed.
func (p *pairing) gone(i int) bool { return p.toNew[i] == none && !p.twice[i] }

// young tells whether the name of j is in the new list only, once.
func (p *pairing) young(j int) bool { return p.toOld[j] == none && !p.newTwice[j] }

func (p *pairing) pair(i, j int) { p.toNew[i], p.toOld[j] = j, i }

func names[T any](list []T, name func(*T) string) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = name(&list[i])
	}
	return out
}

// newStep is the number of a step of the old plan in the new one. What is before the first
// step stays there, and what is behind the last one.
func (p *pairing) newStep(s int) (int, bool) {
	switch {
	case s < 0:
		return none, true
	case s >= len(p.toNew):
		return len(p.toOld), true
	}
	return p.toNew[s], p.toNew[s] != none
}

// clamp is a number of a step of the new plan as newStep returns it.
func (p *pairing) clamp(s int) int { return min(max(none, s), len(p.toOld)) }
