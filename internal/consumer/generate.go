package consumer

//go:generate go run github.com/seqplan/seqplan/cmd/seqplan gen -lang go -o velo_seqplan.go velo.yaml
