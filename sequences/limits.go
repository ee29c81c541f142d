package sequences

// Limits of a sequence file. They are far above what a real sequence needs (20,000
// buffers take about 2 MB and 350,000 marks) and keep the reader under a second
// and a few hundred MiB whatever the file holds.
const (
	// maxFile is the size of a file in bytes. A longer one is not read to its end.
	maxFile = 16 << 20
	// maxMarks is the number of bytes that can separate two values (",", ":", "[",
	// "{", quotes, line breaks, and "-" or "?" before white space). A file with n of them holds at most
	// 2n+2 values, so this bounds the memory of the YAML library beforehand.
	maxMarks = 1 << 19
	// maxValues is the number of values after the expansion of aliases and templates.
	maxValues = 1_000_000
	// maxParams is the number of parameters: the planner keeps a direction for every
	// buffer and parameter.
	maxParams = 1024
	// maxCounts is the number of counts.
	maxCounts = 4096
	// maxStreams is the number of streams: the order of steps has a clock of every
	// stream for each step.
	maxStreams = 128
	// maxUses is how many uses of buffers are looked at to check gaps, shrinks and
	// storage that is taken over.
	maxUses = 1 << 24
	// maxRaces is how many races between streams are reported, and those of one more step.
	maxRaces = 1000
	// maxText is the number of bytes of all strings after the expansion of aliases,
	// and the number that templates may write.
	maxText = 64 << 20
	// maxName is the number of bytes of a key, and so of a name.
	maxName = 255
	// maxArgs is the number of arguments of a template.
	maxArgs = 255
	// maxMembers is the number of members of all groups together.
	maxMembers = 1 << 21
	// maxDepth is the depth of nested values. The format needs less than ten.
	maxDepth = 64
	// maxAlign is the largest alignment in bytes.
	maxAlign = 1 << 30
	// maxWorkers is the largest number of workers.
	maxWorkers = 1 << 20
	// maxExprText is the number of bytes of all expressions together.
	maxExprText = 4 << 20
	// maxNodes is the size of one expression, and maxAllNodes that of all together,
	// after sum_counts is written out as a sum.
	maxNodes    = 1 << 16
	maxAllNodes = 1 << 21
	// maxSuggestions is how many names of a file are compared with all known ones
	// to find what was meant.
	maxSuggestions = 100
	// maxLost is how many names that a fault may have taken away are told apart.
	maxLost = 100
)
