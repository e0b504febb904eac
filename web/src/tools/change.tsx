// A definition of a tool that its server changed: both, side by side, and the consent to the one that was shown.
import { post, type Schema } from "../api/client";
import { ActButton } from "../ui/act-button";
import { JsonView } from "../ui/json-view";
import { Time } from "../ui/time";

type Tool = Schema["Tool"];

export function Change({ tool: { name, server, tool, change } }: { tool: Tool }) {
  if (!change || server === null) return null;
  // The digest is that of the definition on the screen: another one is refused.
  const accept = () => post("/api/v1/mcp-servers/{name}/accept", { tool, digest: change.digest }, { params: { name: server } });
  return (
    <ActButton
      act={accept}
      changes={["tools", "mcp-servers", "attention"]}
      says={`Accept the new definition of ${name}?`}
      done={`${name} is accepted. Agents get it from the next turn on.`}
      ask={
        <>
          <p className="soft">The server {server} offers it since <Time at={change.offered_at} />. No agent gets the tool until you accept.</p>
          <p>It offers now:</p>
          <JsonView name="the definition that it offers now" value={change.offered} />
          <p>It was agreed to:</p>
          <JsonView name="the definition that was agreed to" value={change.agreed} />
        </>
      }
    >
      Accept
    </ActButton>
  );
}
