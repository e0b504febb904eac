// The node that is selected: its name, parameters, options, connections, and what went through it last.
import { type KeyboardEvent, useEffect, useRef, useState } from "react";

import { useRefusal } from "../../api/me";
import { Button } from "../../ui/button";
import { Chips } from "../../ui/chips";
import { Fold } from "../../ui/fold";
import { useDesk, useDocument } from "../desk";
import { renameNode, setParameter } from "../document/commands";
import type { FlowNode } from "../document/model";
import { nameRefusal } from "../document/names";
import { focusCard } from "../canvas/focus-card";
import { deleteSelected, duplicateSelected, switchSelected } from "../canvas/keyboard";
import { plainText } from "../canvas/type-list";
import { pointerOf, problemsAt, wordsOf } from "../problems/placed";
import { type FocusRequest, focusIn } from "./focus-in";
import { Form } from "./form";
import { LastRun } from "./last-run";
import { NodeConnections } from "./node-connections";
import { NodeOptions } from "./node-options";
import { FormProvider } from "./place";
import type { ParameterSchema } from "./schema";
import { useFunctions } from "./use-functions";

const tabs = [
  { title: "Parameters", value: undefined },
  { title: "Options", value: "options" },
  { title: "Connections", value: "connections" },
  { title: "Data", value: "run" },
] as const;

/** The name is taken when the field is left: expressions follow it, so half a name would be in all of them. */
function Name({ node }: { node: FlowNode }) {
  const { session, types, locked, problems } = useDesk();
  const document = useDocument();
  const [typed, setTyped] = useState<string>();
  const refusal = typed === undefined ? undefined : nameRefusal(document, node.id, typed.trim());
  const take = () => {
    if (refusal !== undefined) return; // the field keeps what was typed, and says why
    if (typed !== undefined && typed.trim() !== "") session.store.act(renameNode(node.id, typed.trim(), types));
    setTyped(undefined);
  };
  const wrong = refusal ?? problemsAt(problems.filter(({ id }) => id === node.id), "/name").map(({ message }) => message).join(" ");
  return (
    <div data-pointer="/name">
      <input className="field node-name" aria-label="Name of the node" readOnly={locked !== undefined} maxLength={100} aria-invalid={wrong !== "" || undefined} value={typed ?? node.name} onChange={({ target }) => setTyped(target.value)} onBlur={take} onKeyDown={(event) => event.key === "Enter" && take()} />
      {wrong && <p className="bad" role="alert">{wrong}</p>}
    </div>
  );
}

export function NodePanel({ node, focus, onFocused }: { node: FlowNode; focus: FocusRequest | undefined; onFocused: () => void }) {
  const desk = useDesk();
  const { session, types, locked, problems } = desk;
  const document = useDocument();
  const element = useRef<HTMLDivElement>(null);
  const [tab, setTab] = useState<string>();
  const type = types.get(node.type);
  useFunctions(); // the large editor has them from its first key on
  const running = useRefusal("POST /api/v1/flows/{name}/run");
  const own = problems.filter(({ id }) => id === node.id);
  const elsewhere = own.filter(({ field }) => !field.startsWith("/parameters/") && field !== "/name");
  useEffect(() => {
    if (!focus || focus.node !== node.id) return;
    const wanted = /^\/(on_error|retry|notes|disabled)/.test(focus.path) ? "options" : undefined;
    if (wanted !== tab) return setTab(wanted);
    if (element.current && !focusIn(element.current, focus.path)) element.current.querySelector<HTMLElement>(".form-field input, .form-field textarea, .form-field select, .node-name")?.focus();
    onFocused();
  }, [focus, node.id, tab, onFocused]);
  const place = { node: node.id, change: (path: readonly (string | number)[], value: unknown) => session.store.act(setParameter(node.id, path, value), { key: `${node.id} ${pointerOf(path)}` }) };
  return (
    <div ref={element} className="node-panel" onKeyDown={(event: KeyboardEvent) => event.key === "Escape" && (event.stopPropagation(), focusCard(node.id))}>
      <Name node={node} />
      <Fold className="about-type" summary={<><strong>{type?.title ?? node.type}</strong>{node.disabled && <span className="tag">disabled</span>}</>}><p className="soft">{plainText(type?.documentation) || "The server does not know this type."}</p></Fold>
      {!locked && (
        <div className="row">
          <Button onClick={() => desk.askToConnect(node.id)}>Connect</Button>
          {type?.behaviour !== "part" && <Button refusal={running} onClick={() => desk.askToRun("to")}>Run to here</Button>}
          <Button onClick={() => switchSelected(desk)}>{node.disabled ? "Enable" : "Disable"}</Button>
          <Button onClick={() => duplicateSelected(desk)}>Duplicate</Button>
          <Button kind="danger" onClick={() => deleteSelected(desk)}>Delete</Button>
        </div>
      )}
      {elsewhere.length > 0 && <ul className="node-problems">{elsewhere.map((problem) => <li key={`${problem.path} ${problem.code}`} className={problem.severity === "error" ? "bad" : "warn-words"}>{wordsOf(problem)}</li>)}</ul>}
      <Chips label="Parts of the node" choices={tabs} value={tab} onChange={setTab} />
      <fieldset disabled={locked !== undefined} className="plain-set" key={tab}>
        <FormProvider value={place}>
          {tab === undefined && <Form key={node.id} schema={(type?.parameters ?? {}) as ParameterSchema} value={node.parameters ?? {}} />}
          {tab === undefined && Object.keys((type?.parameters as ParameterSchema | undefined)?.properties ?? {}).length === 0 && <p className="soft">It has no parameters.</p>}
          {tab === "options" && <NodeOptions node={node} />}
          {tab === "connections" && <NodeConnections node={node} document={document} />}
        </FormProvider>
      </fieldset>
      {tab === "run" && <LastRun node={node} />}
    </div>
  );
}
