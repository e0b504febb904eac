// The group as the model of its agent reads it.
import { useQuery } from "@tanstack/react-query";

import { get } from "../api/client";
import { usePace } from "../api/live";
import { Fold } from "../ui/fold";
import { Loaded } from "../ui/feedback";
import { countText, plural } from "../ui/numbers";
import { Panel } from "../ui/page";

function ContextText({ chat }: { chat: string }) {
  const refetchInterval = usePace(10_000, false);
  const context = useQuery({ queryKey: ["group-context", chat], queryFn: ({ signal }) => get("/api/v1/groups/{chat}/context", { params: { chat }, signal }), refetchInterval });
  return (
    <Loaded query={context}>
      {({ messages, tokens, summary, text }) => (
        <>
          <p className="soft">{plural(messages, "message")}{summary ? " behind a summary" : ""}, about {countText(tokens)} tokens. Deleted messages are not there.</p>
          <pre className="context" tabIndex={0} role="region" aria-label="What the model reads">{text}</pre>
        </>
      )}
    </Loaded>
  );
}

export function GroupContext({ chat }: { chat: string }) {
  return (
    <Panel title="As the model reads it">
      <Fold summary="Show the conversation as the next turn has it">
        <ContextText chat={chat} />
      </Fold>
    </Panel>
  );
}
