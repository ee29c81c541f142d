package diff

// What the tests of the package look at.
var (
	Between     = change
	Mark        = mark
	Strip       = strip
	AsMarkdown  = markdown
	SortBuffers = sortBuffers
)

// Text is the amount as the text form prints it.
func (a Amount) Text() string { return a.text() }

// Text is the change as the text form prints it.
func (f Figure) Text() string { return f.text() }

// NewFigure makes a figure of two amounts.
func NewFigure(from, to Amount) Figure { return figure(from, to) }

// Plus adds up two amounts.
func (a Amount) Plus(b Amount) Amount { return a.plus(b) }

// Big is the change as a big integer.
var Big = Change.big
