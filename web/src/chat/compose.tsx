// Where a message is written, with a picture where the chat takes one.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from "react";

import { type Intention, intentionOf } from "../api/intention";
import { wordsOf } from "../api/problem";
import { Button } from "../ui/button";
import { toast } from "../ui/toast";
import { lengthOf } from "./length";
import { restOf } from "./outgoing";

interface Props {
  /** Repeats of one message have one key. */
  say: (text: string, key: string, picture?: File) => Promise<unknown>;
  takesPictures?: boolean;
  /** Characters of a message. */
  most?: number;
  refusal?: string | undefined;
}

export function Compose({ say, takesPictures, most = Infinity, refusal }: Props) {
  const [text, setText] = useState("");
  const [picture, setPicture] = useState<File>();
  const chooser = useRef<HTMLInputElement>(null);
  const last = useRef<Intention>(undefined); // until it is taken
  const about = useId();
  const drop = () => {
    setPicture(undefined);
    if (chooser.current) chooser.current.value = "";
  };
  const send = useMutation({
    mutationFn: (own: string) => {
      last.current = intentionOf(last.current, [own, picture]);
      return say(own, last.current.key, picture);
    },
    onSuccess: (_answer, own) => {
      last.current = undefined;
      setText((typed) => restOf(typed, own));
      drop();
    },
    onError: (error) => toast(wordsOf(error), true),
  });
  const isEmpty = !text.trim() && !picture;
  const length = Number.isFinite(most) ? lengthOf(text, most) : undefined;
  const why = refusal ?? (length?.isTooLong ? length.words : undefined);
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (!isEmpty && !why && !send.isPending) send.mutate(text.trim());
  };
  const sendByEnter = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
  };
  return (
    <form className="compose" onSubmit={submit}>
      <textarea className="field" aria-label="Message" placeholder="Message. Enter sends, Shift-Enter makes a line." rows={2} value={text} autoFocus {...(length ? { "aria-describedby": about, "aria-invalid": length.isTooLong || undefined } : {})} onChange={(event) => setText(event.target.value)} onKeyDown={sendByEnter} />
      {takesPictures && (
        <>
          <input ref={chooser} type="file" accept="image/*" aria-label="Choose a picture" hidden onChange={(event) => setPicture(event.target.files?.[0])} />
          <Button refusal={refusal} onClick={() => (picture ? drop() : chooser.current?.click())}>{picture ? "Remove picture" : "Picture"}</Button>
        </>
      )}
      <Button type="submit" kind="main" refusal={why} disabled={send.isPending || isEmpty}>Send</Button>
      {length && <span id={about} className={length.isTooLong ? "bad" : "faint"}>{length.words}</span>}
    </form>
  );
}
