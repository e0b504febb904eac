import { Button } from "../../ui/button";
import { useDesk } from "../desk";
import { disconnect } from "../document/commands";
import { type Ends, endsIn, type FlowDocument, type FlowNode, keyOfEnds, nodeOf } from "../document/model";

const portText = (name: string) => (name === "main" ? "" : ` (${name})`);

/** What it is connected with, in the document's order: it is the order of models, and of items that are joined. */
export function NodeConnections({ node, document }: { node: FlowNode; document: FlowDocument }) {
  const { session, show, locked } = useDesk();
  const own = endsIn(document).filter(({ from, to }) => from === node.id || to === node.id);
  const line = (ends: Ends) => {
    const isOut = ends.from === node.id;
    const other = nodeOf(document, isOut ? ends.to : ends.from);
    return (
      <li key={keyOfEnds(ends)} className="row">
        <span className="faint">{isOut ? `to${portText(ends.output)}` : `from${portText(ends.output)}`}</span>
        <button type="button" className="link clip" onClick={() => other && show(other.id)}>{other?.name ?? "a node that is gone"}</button>
        {!locked && <Button kind="plain" className="spread" aria-label={`Disconnect ${other?.name ?? "it"}`} onClick={() => session.store.act(disconnect(ends))}>Disconnect</Button>}
      </li>
    );
  };
  if (own.length === 0) return <p className="soft">It is connected with nothing.</p>;
  return <ul className="connection-list">{own.map(line)}</ul>;
}
