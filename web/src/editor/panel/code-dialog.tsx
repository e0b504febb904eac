// A text or JSON in a large editor, with completion, and with what an expression comes to.
import { useRef, useState } from "react";

import { typedJson } from "../../api/json";
import { CodeEditor } from "../../code/code-editor";
import { Dialog } from "../../ui/dialog";
import { plural } from "../../ui/numbers";
import { useDocument } from "../desk";
import { isExpression, tokensAbout } from "./schema";
import { useForm } from "./place";
import { Preview, usePreview } from "./preview";
import { namesBefore } from "./names-before";
import { useFunctions } from "./use-functions";

interface Props {
  title: string;
  kind: "expression" | "json";
  text: string;
  /** It is read by a model, perhaps: its size in tokens stands below it. */
  counts?: boolean;
  onSave: (text: string) => void;
  onClose: () => void;
}

/** The names that an expression of this node may use, with fields as the last execution had them. */
function useNames() {
  const document = useDocument();
  const { node } = useForm();
  const { data } = usePreview("{{ $json }}");
  return { nodes: namesBefore(document, node), item: data?.value, variables: Object.keys((document.settings?.variables ?? {}) as object), functions: useFunctions() };
}

function Expression({ title, text, counts, onChange }: { title: string; text: string; counts: boolean; onChange: (text: string) => void }) {
  return (
    <>
      <CodeEditor label={title} kind="expression" text={text} names={useNames()} onChange={onChange} />
      {counts && <p className="faint">about {plural(tokensAbout(text), "token")}</p>}
      {isExpression(text) ? <Preview value={text} /> : <p className="faint">An expression stands between {"{{ and }}"}. Ctrl Space shows what it may name.</p>}
    </>
  );
}

export function CodeDialog({ title, kind, text, counts = false, onSave, onClose }: Props) {
  const [typed, setTyped] = useState(text);
  const closed = useRef(false); // a dialog that leaves the page closes once more
  const save = () => {
    if (kind === "json") typedJson(typed, title);
    onSave(typed);
    closed.current = true;
  };
  const back = () => {
    closed.current = true;
    onClose();
  };
  // One key too many loses no text: the field has it then, and undo takes it away.
  const escape = () => {
    if (closed.current) return;
    if (typed !== text) onSave(typed);
    back();
  };
  return (
    <div className="code-dialog">
      <Dialog title={title} act="Take it" onAct={save} onClose={back} onEscape={escape}>
        {kind === "expression" ? <Expression title={title} text={typed} counts={counts} onChange={setTyped} /> : <CodeEditor label={title} kind="json" text={typed} onChange={setTyped} />}
      </Dialog>
    </div>
  );
}
