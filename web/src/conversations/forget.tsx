// Deletes what was said in a lane, a few thousand messages at a time, until there are no more.
import { post } from "../api/client";
import { ActButton } from "../ui/act-button";

export async function forgetAll(ask: () => Promise<{ state: string | null }>): Promise<void> {
  while ((await ask()).state === "forgetting");
}

export function Forget({ lane }: { lane: string }) {
  const ask = () => post("/api/v1/lanes/{lane}/forget", {}, { params: { lane } });
  return (
    <ActButton danger act={() => forgetAll(ask)} changes={["messages", "lane-jobs"]} says="Forget what was said here?" done="The messages are deleted." ask={<p className="soft">The messages of this lane's conversations are deleted for good, except those of turns that are not over. The agent begins anew.</p>}>
      Forget
    </ActButton>
  );
}
