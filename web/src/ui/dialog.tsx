import { type FormEvent, type ReactNode, useId, useState } from "react";

import { Button } from "./button";
import { Refusal } from "./feedback";
import { useHasLeft } from "./kept-dialog";
import { useModal } from "./use-modal";

interface Props {
  title: string;
  children?: ReactNode;
  /** The words of the button that acts; without it the dialog only shows something. */
  act?: string;
  danger?: boolean;
  wide?: boolean;
  /** Resolves to "stay" where the dialog then shows something else. */
  onAct?: () => Promise<unknown> | unknown;
  onClose: () => void;
  /** Escape closes it, and may do something else than the button Back, such as to keep what was typed. */
  onEscape?: () => void;
  /** The failure stands at the fields that it is about. */
  isShown?: (error: unknown) => boolean;
}

/** A modal dialog. It closes by Escape, by Back, or when its act succeeded; a failure is shown in it, once. */
export function Dialog({ title, children, act, danger, wide, onAct, onClose, onEscape = onClose, isShown }: Props) {
  const element = useModal();
  const heading = useId();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const hasLeft = useHasLeft();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      if ((await onAct?.()) !== "stay") onClose();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <dialog ref={element} className={wide ? "dialog wide" : "dialog"} aria-labelledby={heading} onClose={onEscape}>
      <form onSubmit={(event) => void submit(event)}>
        <h2 id={heading}>{title}</h2>
        {children}
        {hasLeft && !busy && <p role="status" className="soft">Meanwhile this left the page: it is settled, removed or over.</p>}
        {failure !== undefined && !isShown?.(failure) && <Refusal error={failure} />}
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
