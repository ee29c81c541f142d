// What the colours of the map tell. Each way to group the buffers gives a buffer its group,
// and a group its name and its look.
const ofAlgorithms = algorithmLooks();
const fixed = (looks, of) => ({ of, name: (group) => group, look: (group) => looks[group] });
const groupings = {
  algorithm: { of: (b) => b.step, name: stepName, look: (step) => ofAlgorithms.get(step) },
  kind: fixed({ input: look(-1), write: look(0), scratch: look(6), output: look(3), kept: look(2) }, (b) => b.kind),
  class: fixed({ static: look(0), dynamic: look(6) }, (b) => b.class),
};
if (data.baseline) {
  const kinds = new Map(data.baseline.buffers.map((c) => [c.buffer, c.kind]));
  groupings.change = fixed({
    "as before": look(-1), grew: look(6), shrank: look(8), appeared: look(1, 1), "moved class": look(2, 3), "moved scope": look(2, 2),
    renamed: look(7), changed: look(5),
  }, (b) => kinds.get(b.id) || "as before");
}
const grouping = () => groupings[state.colour];
const lookOf = (b) => grouping().look(grouping().of(b));
