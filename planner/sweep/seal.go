package sweep

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
)

// sealDigits is the length of a checksum.
const sealDigits = 16

// seal puts a checksum before a text.
func seal(text []byte) []byte {
	sum := sha256.Sum256(text)
	return append(hex.AppendEncode(nil, sum[:sealDigits/2]), append([]byte{' '}, text...)...)
}

// unseal returns the text, and false if its checksum is wrong.
func unseal(sealed []byte) ([]byte, bool) {
	if len(sealed) <= sealDigits {
		return nil, false
	}
	text := sealed[sealDigits+1:]
	return text, bytes.Equal(seal(text), sealed)
}
