import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";

import { wordsOf } from "../api/problem";
import { Button } from "./button";

interface Props {
  title: string;
  children?: ReactNode;
  /** The words of the button that acts; without it the dialog only shows something. */
  act?: string;
  danger?: boolean;
  /** Resolves to "stay" where the dialog then shows something else. */
  onAct?: () => Promise<unknown> | unknown;
  onClose: () => void;
}

/** A modal dialog. It closes by Escape, by Back, or when its act succeeded; a failure is shown in it. */
export function Dialog({ title, children, act, danger, onAct, onClose }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  useEffect(() => {
    if (!element.current?.open) element.current?.showModal();
  }, []);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setFailure("");
    try {
      if ((await onAct?.()) !== "stay") onClose();
    } catch (error) {
      setFailure(wordsOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <dialog ref={element} className="dialog" aria-labelledby={heading} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <h2 id={heading}>{title}</h2>
        {children}
        {failure && <p role="alert" className="bad">{failure}</p>}
        <footer>
          <Button onClick={onClose}>{act ? "Back" : "Close"}</Button>
          {act && (
            <Button type="submit" kind={danger ? "danger" : "main"} disabled={busy}>
              {busy ? "Working…" : act}
            </Button>
          )}
        </footer>
      </form>
    </dialog>
  );
}
