// Items that stand for what a node makes while a person tries the flow: taken from the last execution, and written by hand.
import { useState } from "react";

import { Button } from "../../ui/button";
import { toast } from "../../ui/toast";
import { useDesk, useDocument } from "../desk";
import { pin } from "../document/commands";
import { type FlowNode, isObject, type Parameters, pinnedOf } from "../document/model";
import { JsonField } from "./fields/json-field";
import { itemsToPin } from "./items-to-pin";

const isItems = (value: unknown): value is Parameters[] => Array.isArray(value) && value.every(isObject);

/** Where the node has some. */
export function PinnedItems({ node: { id, name } }: { node: FlowNode }) {
  const { session, locked } = useDesk();
  const items = pinnedOf(useDocument())[name];
  const [wrong, setWrong] = useState<{ value: unknown }>(); // JSON, and no items: it stays in the field
  if (items === undefined) return null;
  const change = (value: unknown) => {
    setWrong(isItems(value) ? undefined : { value });
    if (isItems(value)) session.store.act(pin(name, value), { key: `${id} pinned` });
  };
  return (
    <fieldset disabled={locked !== undefined} className="plain-set" aria-label="Pinned items">
      <div className="form-field">
        <div className="form-title">
          <label htmlFor={`pinned-${id}`}>Pinned items</label>
          <Button kind="plain" className="spread" onClick={() => session.store.act(pin(name, undefined))}>Unpin</Button>
        </div>
        <JsonField id={`pinned-${id}`} title="Pinned items" schema={{}} path={[]} required={false} describedBy={`pinned-${id}-about`} invalid={wrong !== undefined} value={wrong ? wrong.value : items} onChange={change} />
        <p id={`pinned-${id}-about`} className={wrong ? "bad" : "faint"}>{wrong ? "Items are a list of objects. The last that was one is kept." : "Runs of the draft take them, and the node does not run. Published versions never do."}</p>
      </div>
    </fieldset>
  );
}

/** Pins what came out of the node in an execution. */
export function Pin({ node: { name, type }, outputs }: { node: FlowNode; outputs: Readonly<Record<string, unknown>> }) {
  const { session, types, locked } = useDesk();
  const items = itemsToPin(outputs);
  if (locked || items === undefined || types.get(type)?.behaviour === "part") return null;
  const take = () => {
    if (items === "cut") return toast("The record shows only a part of these items. Pin other ones by hand.", true);
    session.store.act(pin(name, items));
    toast(`The output of ${name} is pinned.`);
  };
  return <Button title="Runs of the draft then take these items, and the node does not run" onClick={take}>Pin its output</Button>;
}
