// A training: what it would change is on the screen before it is done.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { post, type Schema } from "../api/client";
import { isOfMembers, mistakesOf } from "../api/problem";
import { Chips } from "../ui/chips";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { plural } from "../ui/numbers";
import { Table, type Column } from "../ui/table";
import { toast } from "../ui/toast";
import { GroupChoice } from "./group-choice";
import type { Sample } from "./queries";
import { pointsText } from "./words";

type Effect = Schema["TrainingEffect"];
type Changed = Schema["ChangedVerdict"];

const kinds = [{ title: "Spam", value: "spam" }, { title: "No spam", value: "ham" }, { title: "Stop word", value: "stop_word" }];

const columns: Column<Changed>[] = [
  { name: "Message", kind: "wide", show: ({ text }) => <span className="clip" title={text}>{text}</span> },
  { name: "Before", kind: "number", named: true, show: ({ points_before }) => pointsText(points_before) },
  { name: "After", kind: "number", named: true, show: ({ points_after }) => pointsText(points_after) },
  { name: "Becomes", named: true, show: ({ is_spam }) => (is_spam ? "spam" : "no spam") },
];

export function EffectView({ effect: { text, judged, changed } }: { effect: Effect }) {
  return (
    <div role="status">
      <p>This text: {pointsText(text.points_before)} points before, {pointsText(text.points_after)} after: {text.is_spam ? "spam" : "no spam"}.</p>
      <p>{changed.length} of {plural(judged, "recent message")} get another verdict.</p>
      {changed.length > 0 && <Table label="Messages with another verdict" columns={columns} rows={changed} keyOf={(row) => row.text} />}
    </div>
  );
}

export function TrainDialog({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient();
  const [text, setText] = useState("");
  const [kind, setKind] = useState<string>("spam");
  const [chat, setChat] = useState("");
  const [shown, setShown] = useState<{ words: string; effect: Effect }>();
  const [failure, setFailure] = useState<unknown>();
  const body = { text, kind, ...(chat ? { chat: Number(chat) } : {}) };
  const words = JSON.stringify(body);
  const effect = shown?.words === words ? shown.effect : undefined; // of what is written now
  const ask = async () => {
    try {
      if (!effect) {
        setShown({ words, effect: (await post("/api/v1/spam/samples", { ...body, preview: true })) as Effect });
        setFailure(undefined);
        return "stay";
      }
      const sample = (await post("/api/v1/spam/samples", body)) as unknown as Sample;
      for (const key of ["spam-samples", "spam-verdicts"]) void cache.invalidateQueries({ queryKey: [key] });
      toast(`Sample ${sample.id} is learned.`);
      return undefined;
    } catch (error) {
      setFailure(error);
      throw error;
    }
  };
  return (
    <Dialog wide title="Train the spam filter" act={effect ? "Train" : "Show what it changes"} onAct={ask} onClose={onClose} isShown={(error) => isOfMembers(error, ["text"])}>
      <Chips label="The text is" choices={kinds} value={kind} onChange={(value) => setKind(value ?? "spam")} />
      <Field label="Text" mistake={mistakesOf(failure).get("text")} hint={kind === "stop_word" ? "Found anywhere in a message. =text is the whole message." : undefined}>
        {(props) => <textarea className="field" rows={4} required {...props} value={text} onChange={(event) => setText(event.target.value)} />}
      </Field>
      <GroupChoice value={chat} onChange={setChat} allLabel="All groups" />
      {effect && <EffectView effect={effect} />}
    </Dialog>
  );
}
