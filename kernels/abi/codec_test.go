package abi_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/abi"
)

// words are the bytes of the words from, from+1, ...
func words(from uint64, n int) []byte {
	var b []byte
	for i := range uint64(n) {
		b = binary.LittleEndian.AppendUint64(b, from+i)
	}
	return b
}

// The order of the fields in memory is the ABI.
func TestControlBytes(t *testing.T) {
	const from = 0x0102030405060700
	c := abi.Control{
		HostLine: abi.HostLine{
			Magic: from, ArenaStart: from + 1, ArenaCapacity: from + 2, ArenaAlign: from + 3,
			Epoch: from + 4, Flags: from + 5, NumSlots: from + 6, PlanHash: from + 7,
		},
		DeviceLine: abi.DeviceLine{
			Next: from + 8, High: from + 9, Wanted: from + 10, Failed: from + 11,
			FailedBytes: from + 12, FirstFailed: from + 13, Code: from + 14, EpochDone: from + 15,
		},
	}
	b := make([]byte, abi.ControlSize+1)
	b[abi.ControlSize] = 0xEE
	c.Put(b)
	require.Equal(t, append(words(from, 16), 0xEE), b)
	require.Equal(t, c, abi.ReadControl(b))
	require.Equal(t, c.HostLine, abi.ReadHostLine(b))
	require.Equal(t, c.DeviceLine, abi.ReadDeviceLine(b[abi.LineSize:]))
	clear(b)
	c.HostLine.Put(b)
	require.Equal(t, make([]byte, abi.LineSize), b[abi.LineSize:abi.ControlSize], "line 0 alone")
}

func TestSlotBytes(t *testing.T) {
	s := abi.Slot{Offset: 0x1122334455667788, Size: 0x99AABBCCDDEEFF00}
	b := make([]byte, abi.SlotSize)
	s.Put(b)
	require.Equal(t, []byte{0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0x00, 0xFF, 0xEE, 0xDD, 0xCC, 0xBB, 0xAA, 0x99}, b)
	require.Equal(t, s, abi.ReadSlot(b))
}

func TestPutWords(t *testing.T) {
	b := make([]byte, 24)
	abi.PutWords(b, []uint64{1, 2})
	require.Equal(t, append(words(1, 2), make([]byte, 8)...), b)
	abi.PutWords(nil, nil)
}

// The magics spell their names in memory.
func TestMagic(t *testing.T) {
	b := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, abi.Magic), abi.ProgramMagic)
	require.Equal(t, "\x01\x00\x00\x00SQPL\x01\x00\x00\x00SQPR", string(b))
}

func TestStrings(t *testing.T) {
	require.Equal(t, "exhausted", abi.Exhausted.String())
	require.Equal(t, "unknown", abi.Code(99).String())
	require.Equal(t, "device", abi.ScopeDevice.String())
	require.Equal(t, "host", abi.ScopeHost.String())
	require.Equal(t, "load", abi.OpLoad.With(4).String())
	require.Equal(t, "check_max", abi.OpCheckMax.String())
	require.Equal(t, "unknown", abi.Op(200).String())
}
