// Writes the input of a schedule's jobs for a flow that a person names. The list under the field has the first flows;
// any other one is found by its whole name.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { get } from "../api/client";
import { isAbsent, wordsOf } from "../api/problem";
import { Field } from "../ui/field";
import { inputOfFlow } from "./definition";
import { useSettled } from "./settled";

const LISTED = 200; // the most that the server answers at once

/** What the name means: the input to write, or what is wrong with it. */
export function choiceOf(flow: { name: string; published_version: number | null } | undefined, error: unknown): { input?: string; mistake?: string } {
  if (isAbsent(error)) return { mistake: "There is no such flow." };
  if (error) return { mistake: wordsOf(error) };
  if (!flow) return {};
  return flow.published_version === null ? { mistake: `${flow.name} was never published.` } : { input: inputOfFlow(flow.name, flow.published_version) };
}

export function FlowChoice({ onChoose }: { onChoose: (input: string) => void }) {
  const [typed, setTyped] = useState("");
  const name = useSettled(typed.trim());
  const flows = useQuery({ queryKey: ["flows", "to-start"], queryFn: ({ signal }) => get("/api/v1/flows", { query: { limit: LISTED }, signal }) });
  const found = useQuery({
    queryKey: ["flow-to-start", name],
    queryFn: async ({ signal }) => {
      const flow = await get("/api/v1/flows/{name}", { params: { name }, signal });
      const { input } = choiceOf(flow, null);
      if (input !== undefined) onChoose(input);
      return flow;
    },
    enabled: name !== "",
    retry: false,
    staleTime: 0,
    refetchOnWindowFocus: false, // it would write over what was typed since
    refetchOnReconnect: false,
  });
  const { mistake } = name ? choiceOf(found.data, found.error) : {};
  const listed = flows.data?.flows.filter(({ published_version }) => published_version !== null) ?? [];
  return (
    <Field label="Flow" mistake={mistake} hint="Type its name, or choose it. It writes the input below, with the version that is published now.">
      {(props) => (
        <>
          <input className="field" list="schedule-flows" autoComplete="off" {...props} value={typed} onChange={(event) => setTyped(event.target.value)} />
          <datalist id="schedule-flows">{listed.map((flow) => <option key={flow.name} value={flow.name}>{`v${flow.published_version}`}</option>)}</datalist>
        </>
      )}
    </Field>
  );
}
