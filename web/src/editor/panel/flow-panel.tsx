// The flow itself, where no single node is selected.
import { useEffect, useRef } from "react";

import { Button } from "../../ui/button";
import { Field } from "../../ui/field";
import { deleteSelected, duplicateSelected, groupSelected, switchSelected } from "../canvas/keyboard";
import { useDesk, useDocument, useSelection } from "../desk";
import { setInDocument } from "../document/commands";
import { aligned, type Line } from "../document/places";
import { valueAt } from "../document/model";
import { pointerOf, problemsAt } from "../problems/placed";
import { JsonField } from "./fields/json-field";
import { FLOW, type FocusRequest, focusIn } from "./focus-in";

interface Setting {
  path: readonly string[];
  label: string;
  hint: string;
  lines?: number;
  choices?: readonly string[];
}

const settings: readonly Setting[] = [
  { path: ["title"], label: "Title", hint: "For people." },
  { path: ["description"], label: "Description", hint: "For people.", lines: 2 },
  { path: ["settings", "timeout"], label: "Longest time of an execution", hint: "1h 30min. Empty: no limit." },
  { path: ["settings", "mailbox"], label: "Messages during an execution", hint: "queue: they wait. coalesce: they are joined. interrupt: they end it. route: they reach its waits.", choices: ["queue", "coalesce", "interrupt", "route"] },
  { path: ["settings", "debounce"], label: "Pause before coalesce starts", hint: "2s" },
  { path: ["settings", "lane"], label: "Lane", hint: "A template. Executions with the same key run one after the other. Empty: the trigger's lane." },
  { path: ["settings", "error_flow"], label: "Error flow", hint: "It runs when an execution fails." },
  { path: ["settings", "help"], label: "Help in chats", hint: "What /start and /help say above the list of commands.", lines: 3 },
];

function SettingField({ setting: { path, label, hint, lines, choices } }: { setting: Setting }) {
  const { session, problems } = useDesk();
  const document = useDocument();
  const pointer = pointerOf(path);
  const value = valueAt(document, path);
  const text = typeof value === "string" ? value : "";
  const mistake = problemsAt(problems.filter(({ id }) => id === undefined), pointer).map(({ message }) => message).join(" ") || undefined;
  const set = (next: string) => session.store.act(setInDocument(path, next === "" ? undefined : next), { key: pointer });
  return (
    <div data-pointer={pointer}>
      <Field label={label} hint={hint} mistake={mistake}>
        {(props) =>
          choices ? (
            <select className="pick" {...props} value={text} onChange={({ target }) => set(target.value)}>
              <option value="">queue, the default</option>
              {choices.map((choice) => <option key={choice}>{choice}</option>)}
            </select>
          ) : lines ? (
            <textarea className="field" rows={lines} {...props} value={text} onChange={({ target }) => set(target.value)} />
          ) : (
            <input className="field" {...props} value={text} onChange={({ target }) => set(target.value)} />
          )
        }
      </Field>
    </div>
  );
}

const objects: readonly Setting[] = [
  { path: ["settings", "help_in"], label: "Help in other languages", hint: 'By their codes: {"de": "…"}.' },
  { path: ["settings", "variables"], label: "Variables", hint: "Expressions read them as $vars.NAME." },
];

function ObjectSetting({ setting: { path, label, hint } }: { setting: Setting }) {
  const { session, problems } = useDesk();
  const document = useDocument();
  const pointer = pointerOf(path);
  const mistake = problemsAt(problems.filter(({ id }) => id === undefined), pointer).map(({ message }) => message).join(" ");
  const id = `flow-${path.join("-")}`;
  return (
    <div className="form-field" data-pointer={pointer}>
      <div className="form-title"><label htmlFor={id}>{label}</label></div>
      <JsonField id={id} title={label} schema={{}} path={path} required={false} describedBy={`${id}-about`} invalid={mistake !== ""} value={valueAt(document, path)} onChange={(value) => session.store.act(setInDocument(path, value), { key: pointer })} />
      <p id={`${id}-about`} className={mistake ? "bad" : "faint"}>{mistake || hint}</p>
    </div>
  );
}

const lines: readonly (readonly [Line, string])[] = [["left", "Left edges"], ["top", "Top edges"], ["middle", "Middles"], ["across", "Equal gaps across"], ["down", "Equal gaps down"]];

/** Of several nodes. */
function Several({ count }: { count: number }) {
  const desk = useDesk();
  const { session, types } = desk;
  const align = (line: Line) => session.store.act(aligned(session.store.state.document, types, session.store.state.selection.nodes, line));
  return (
    <div className="stack">
      <h2>{count} selected</h2>
      <div className="row">
        <Button onClick={() => switchSelected(desk)}>Disable or enable</Button>
        <Button onClick={() => duplicateSelected(desk)}>Duplicate</Button>
        <Button title="They then move together (Shift G)" onClick={() => groupSelected(desk)}>Group</Button>
        <Button kind="danger" onClick={() => deleteSelected(desk)}>Delete</Button>
      </div>
      <div className="row" role="group" aria-label="Align">{lines.map(([line, words]) => <Button key={line} onClick={() => align(line)}>{words}</Button>)}</div>
      <p className="faint">Copy puts them into the clipboard as JSON. Arrow keys move them.</p>
    </div>
  );
}

export function FlowPanel({ focus, onFocused }: { focus: FocusRequest | undefined; onFocused: () => void }) {
  const { locked } = useDesk();
  const { nodes } = useSelection();
  const element = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (focus?.node !== FLOW || !element.current) return;
    focusIn(element.current, focus.path);
    onFocused();
  }, [focus, onFocused]);
  if (nodes.size > 1) return locked ? <p className="soft">{nodes.size} selected.</p> : <Several count={nodes.size} />;
  return (
    <fieldset ref={element} disabled={locked !== undefined} className="plain-set">
      <div className="form">
        <h2>Flow</h2>
        {settings.map((setting) => <SettingField key={setting.label} setting={setting} />)}
        {objects.map((setting) => <ObjectSetting key={setting.label} setting={setting} />)}
      </div>
    </fieldset>
  );
}
