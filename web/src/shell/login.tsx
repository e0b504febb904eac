// Signing in by a one-time link. The token is in the address' fragment, which no server sees, and is sent by a
// click: programs that look at links press no button.
import { useEffect, useState } from "react";

import { logIn, type Me } from "../api/me";
import { Problem, wordsOf } from "../api/problem";
import { Button } from "../ui/button";
import { useModal } from "../ui/use-modal";
import { Mark } from "./mark";

const fragment = /^#login=([\w.~-]+)$/;

export const tokenOf = (hash: string): string => fragment.exec(hash)?.[1] ?? "";

export const clearLink = () => history.replaceState(history.state, "", location.pathname + location.search);

/** The token in the address. What looks like a link and is none does not stay there. */
export function arrivedToken(): string {
  const token = tokenOf(location.hash);
  if (!token && location.hash.startsWith("#login")) clearLink();
  return token;
}

interface Props {
  /** Over a page whose session has ended: what was typed there stays. */
  over: boolean;
  /** Who is signed in already: a link asks before it replaces that session. */
  present?: Me | undefined;
  onDone: () => void;
  /** The session stays as it is. */
  onStay?: () => void;
}

/** The server refused the link itself; after any other failure the link may still work. */
export const isSpent = (error: unknown): boolean => error instanceof Problem && error.status === 401;

/** Browsers close a dialog by a second Escape whatever its page says. */
export const staysOpen = { onCancel: (event: { preventDefault: () => void }) => event.preventDefault(), onClose: (event: { currentTarget: { showModal: () => void } }) => event.currentTarget.showModal() };

export function Login({ over, present, onDone, onStay }: Props) {
  const [token, setToken] = useState(arrivedToken);
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const dialog = useModal(over);

  useEffect(() => {
    const arrived = () => setToken(arrivedToken());
    addEventListener("hashchange", arrived);
    return () => removeEventListener("hashchange", arrived);
  }, []);

  const signIn = async (own: string) => {
    setBusy(true);
    setFailure("");
    try {
      await logIn(own);
      clearLink();
      onDone();
    } catch (error) {
      const spent = isSpent(error);
      if (spent) {
        clearLink();
        setToken("");
      }
      setFailure(spent ? "This link does not work, or no longer. Each link works once, for 15 minutes." : `${wordsOf(error)} Try again: your link may still work.`);
    } finally {
      setBusy(false);
    }
  };

  const body = (
    <div className="login">
      <Mark />
      <h1>{present ? "Sign in again?" : over ? "Your session has ended" : "Sign in"}</h1>
      {failure && <p role="alert" className="bad">{failure}</p>}
      {token ? (
        <>
          {present && <p>You are signed in as {present.actor ?? present.role} ({present.role}). The link replaces this session.</p>}
          <p className="soft">Your link is ready. It works once.</p>
          <Button kind="main" autoFocus disabled={busy} onClick={() => void signIn(token)}>
            {busy ? "Signing in…" : present ? "Replace the session" : "Sign in"}
          </Button>
          {present && <Button disabled={busy} onClick={onStay}>Stay signed in</Button>}
        </>
      ) : (
        <PastedLink busy={busy} onLink={(own) => void signIn(own)} />
      )}
    </div>
  );
  if (!over) return <main className="login-page">{body}</main>;
  return (
    <dialog ref={dialog} className="dialog" aria-label="Sign in again" {...staysOpen}>
      {body}
    </dialog>
  );
}

function PastedLink({ busy, onLink }: { busy: boolean; onLink: (token: string) => void }) {
  const [text, setText] = useState("");
  const token = tokenOf(text.slice(text.indexOf("#"))) || (/^[\w.~-]{16,}$/.test(text.trim()) ? text.trim() : "");
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (token) onLink(token);
      }}
    >
      <p className="soft">Make a link where the server runs, and open it here:</p>
      <pre className="command">postrider console link</pre>
      <label className="label">
        Or paste the link
        <input className="field" value={text} autoComplete="off" spellCheck={false} onChange={(event) => setText(event.target.value)} />
      </label>
      <Button type="submit" kind="main" disabled={busy || !token}>
        Sign in
      </Button>
    </form>
  );
}
