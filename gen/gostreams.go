package gen

import "github.com/dave/jennifer/jen"

func goStream(name string) string { return "Stream" + camelCase(name) }

func goStep(name string) string { return "Step" + camelCase(name) }

// streamConstants prints the indexes of the streams, if there are several.
func (g *goPrinter) streamConstants() {
	if !g.several() {
		return
	}
	var lines []jen.Code
	for i, s := range g.streams() {
		lines = append(lines, jen.Id(goStream(s.name)).Op("=").Lit(i))
	}
	g.f.Comment("The streams that the steps are queued on, and how many they are.")
	g.f.Const().Defs(append(lines, jen.Id("NumStreams").Op("=").Lit(len(lines)))...)
	g.f.Line()
}

// queueTable prints the stream and the waits of each step as functions, so that no
// caller can change them for another.
func (g *goPrinter) queueTable() {
	if !g.several() {
		return
	}
	var names []jen.Code
	for _, s := range g.streams() {
		names = append(names, jen.Lit(s.name))
	}
	g.f.Comment("Streams returns the names of the streams, in the order of their constants.")
	g.f.Func().Id("Streams").Params().Index().String().Block(jen.Return(jen.Index().String().Values(names...)))
	g.f.Line()
	g.f.Comment("Step says where a step is queued, and what has to be complete before it. The offsets of")
	g.f.Comment("the plan are right only if all waits are kept. What the device does for a step of the host")
	g.f.Comment("is on the first stream.")
	g.f.Type().Id("Step").Struct(
		jen.Id("Stream").Int().Comment("that the step is queued on, behind all that is queued there before"),
		jen.Id("Waits").Index().Qual(abiPath, "StepID").Comment("steps of other streams: the stream waits for the events behind them"),
		jen.Id("Event").Bool().Comment("a later step waits for this one: record an event behind it"),
		jen.Id("HostWait").Bool().Comment("then the host waits for all streams, before the step and behind its device program"),
	)
	g.f.Line()
	var lines []jen.Code
	for i := range g.queues {
		lines = append(lines, jen.Id(goStep(g.seq.Steps[i].Name)).Op(":").Values(g.queue(&g.queues[i])...))
	}
	g.f.Comment("Steps returns the streams and the waits of the steps, by abi.StepID.")
	g.f.Func().Id("Steps").Params().Index().Id("Step").Block(jen.Return(jen.Index().Id("Step").Add(multiLine(lines))))
	g.f.Line()
}

// queue are the fields of a Step that say something.
func (g *goPrinter) queue(q *queue) []jen.Code {
	fields := []jen.Code{jen.Id("Stream").Op(":").Id(goStream(g.seq.Streams[q.stream]))}
	if len(q.waits) > 0 {
		var waits []jen.Code
		for _, w := range q.waits {
			waits = append(waits, jen.Id(goStep(g.seq.Steps[w].Name)))
		}
		fields = append(fields, jen.Id("Waits").Op(":").Index().Qual(abiPath, "StepID").Values(waits...))
	}
	if q.event {
		fields = append(fields, jen.Id("Event").Op(":").True())
	}
	if q.hostWait {
		fields = append(fields, jen.Id("HostWait").Op(":").True())
	}
	return fields
}
