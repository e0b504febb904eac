// A link for one login to the console, for another person or another browser.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { post } from "../api/client";
import { integerOf } from "../api/json";
import { useMe } from "../api/me";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { Time } from "../ui/time";

export function NewLink({ onClose }: { onClose: () => void }) {
  const { data: me } = useMe();
  const [role, setRole] = useState("reader");
  const [user, setUser] = useState("");
  const make = useMutation({ mutationFn: () => post("/api/v1/console/links", { role, ...(user ? { user_id: integerOf(user) } : {}) }) });
  if (make.data)
    return (
      <Dialog title="Your login link" onClose={onClose}>
        <p className="soft">It is shown this once, and logs in once, until <Time at={make.data.expires_at} />. Until then it is as secret as a password.</p>
        <pre className="command">{window.location.origin + make.data.path}</pre>
      </Dialog>
    );
  return (
    <Dialog title="New login link" act="Make it" onAct={() => make.mutateAsync().then(() => "stay")} onClose={onClose}>
      <Field label="Role">
        {(props) => (
          <select className="pick" {...props} value={role} onChange={(event) => setRole(event.target.value)}>
            <option value="reader">reader: sees all but the audit, changes nothing</option>
            <option value="editor">editor: what a reader sees, and drafts of flows and test runs</option>
            <option value="owner">owner: everything</option>
          </select>
        )}
      </Field>
      <Field label="User" hint={`The Telegram id of the person who acts.${me?.user_id ? ` Yours is ${String(me.user_id)}.` : ""} Empty: nobody.`}>
        {(props) => <input className="field" inputMode="numeric" pattern="[1-9][0-9]*" {...props} value={user} onChange={(event) => setUser(event.target.value.trim())} />}
      </Field>
    </Dialog>
  );
}
