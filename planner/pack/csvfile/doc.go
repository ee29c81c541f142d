// Package csvfile owns the CSV format in which static memory packers exchange
// problems and results: one buffer a row, the columns found by a header.
//
//	id,lower,upper,size[,alignment][,gaps][,offset][,hint]
//
// A buffer lives in the half-open interval [lower, upper) and takes size bytes, at
// a multiple of its alignment (a power of two; 0 or nothing means 1). gaps is a
// list, separated by spaces, of intervals of the lifetime: in lo-hi none of the
// buffer's bytes is in use, in lo-hi@wlo:whi only its bytes [wlo, whi) are. Gaps are
// not empty, ascend and do not overlap. offset is where the buffer lies, in bytes,
// hint where it may start; both may be empty.
//
// The columns stand in any order, their names in upper or lower case. "buffer" and
// "buffer_id" mean id, "start" and "begin" mean lower. A column "end" in place of
// upper names the last step of the lifetime instead of the first one after it;
// then the gaps of that file name their last step too. Windows never do.
//
// Numbers are unsigned and decimal, spaces around fields, blank lines, quoted
// fields, CRLF and a byte order mark mean nothing. Positions count bytes without
// the mark.
//
// Read reports every fault with its place and a code (Codes), or returns buffers
// that keep all the rules above; a fault of the header ends the reading, since then
// it is not known what the rows mean. A file has no size limit: the result takes up
// to about thirty times the bytes of the file. Write prints one form only: the
// columns in the order above, the optional ones where a buffer uses them.
package csvfile
