package diag

import "unicode/utf8"

// Nearest returns the candidate that name most likely means, or "" if none is
// close: at most one edit for every three characters of the name. Of several
// equally close ones it returns the first.
func Nearest(name string, candidates []string) string {
	limit := max(1, utf8.RuneCountInString(name)/3)
	best, bestDistance := "", limit+1
	for _, c := range candidates {
		if d := distance([]rune(name), []rune(c), bestDistance-1); d < bestDistance && c != name {
			best, bestDistance = c, d
		}
	}
	return best
}

// distance is the Levenshtein distance of a and b, a swap of two neighbours
// counting once; anything above limit is returned as limit + 1.
func distance(a, b []rune, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	before, previous, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(previous[j]+1, row[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return limit + 1
		}
		before, previous, row = previous, row, before
	}
	return min(previous[len(b)], limit+1)
}
