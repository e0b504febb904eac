// Where a message is written, with a picture where the chat takes one.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";

import { wordsOf } from "../api/problem";
import { Button } from "../ui/button";
import { toast } from "../ui/toast";
import { type Outgoing, outgoing, restOf } from "./outgoing";

interface Props {
  say: (text: string, key: string, picture?: File) => Promise<unknown>;
  takesPictures?: boolean;
  refusal?: string | undefined;
}

export function Compose({ say, takesPictures, refusal }: Props) {
  const [text, setText] = useState("");
  const [picture, setPicture] = useState<File>();
  const chooser = useRef<HTMLInputElement>(null);
  const last = useRef<Outgoing>(undefined); // until it is taken
  const drop = () => {
    setPicture(undefined);
    if (chooser.current) chooser.current.value = "";
  };
  const send = useMutation({
    mutationFn: (own: string) => {
      last.current = outgoing(last.current, own);
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
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (!isEmpty && !refusal && !send.isPending) send.mutate(text.trim());
  };
  const sendByEnter = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
  };
  return (
    <form className="compose" onSubmit={submit}>
      <textarea className="field" aria-label="Message" placeholder="Message. Enter sends, Shift-Enter makes a line." rows={2} value={text} autoFocus onChange={(event) => setText(event.target.value)} onKeyDown={sendByEnter} />
      {takesPictures && (
        <>
          <input ref={chooser} type="file" accept="image/*" aria-label="Choose a picture" hidden onChange={(event) => setPicture(event.target.files?.[0])} />
          <Button refusal={refusal} onClick={() => (picture ? drop() : chooser.current?.click())}>{picture ? "Remove picture" : "Picture"}</Button>
        </>
      )}
      <Button type="submit" kind="main" refusal={refusal} disabled={send.isPending || isEmpty}>Send</Button>
    </form>
  );
}
