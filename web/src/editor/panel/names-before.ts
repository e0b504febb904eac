// The nodes whose results an expression may name: those that lead to it along items. A part sees what leads to the node
// that it hangs on. Pure.
import { endsIn, type FlowDocument } from "../document/model";

export function namesBefore(document: FlowDocument, id: string): string[] {
  const connections = endsIn(document);
  const owners = connections.filter(({ from, type }) => from === id && type !== "main").map(({ to }) => to);
  const found = new Set<string>();
  const queue = owners.length > 0 ? owners : [id];
  for (let next = queue.pop(); next !== undefined; next = queue.pop())
    for (const { from, to, type } of connections)
      if (to === next && type === "main" && !found.has(from)) {
        found.add(from);
        queue.push(from);
      }
  return document.nodes.filter((node) => found.has(node.id)).map(({ name }) => name);
}
