// The dialogs that make a collection and change it.
import { useState } from "react";
import { useLocation } from "wouter";

import { patch, post } from "../api/client";
import { isOfMembers, mistakesOf } from "../api/problem";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { toast } from "../ui/toast";
import { AccessFields } from "./access";
import "./knowledge.css";
import { type Access, addressOfCollection, type Collection, readAgain } from "./queries";

const members = ["name", "description"];

function Description({ value, mistake, onChange }: { value: string; mistake: string | undefined; onChange: (value: string) => void }) {
  return (
    <Field label="Description" mistake={mistake} hint="What the documents are about. The editor shows it where a flow chooses a collection.">
      {(props) => <textarea className="field" rows={2} maxLength={500} {...props} value={value} onChange={({ target }) => onChange(target.value)} />}
    </Field>
  );
}

export function NewCollection({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [access, setAccess] = useState<Access>({ people: "allowed" });
  const [failure, setFailure] = useState<unknown>();
  const make = async () => {
    try {
      await post("/api/v1/collections", { name, description: description.trim(), access });
    } catch (error) {
      setFailure(error);
      throw error;
    }
    readAgain();
    toast(`The collection ${name} is there. Add documents to it.`);
    navigate(addressOfCollection(name));
  };
  const mistakes = mistakesOf(failure);
  return (
    <Dialog title="New collection" act="Make it" onAct={make} onClose={onClose} isShown={(error) => isOfMembers(error, members)}>
      <Field label="Name" mistake={mistakes.get("name")} hint="Up to 64 of a-z, 0-9, _ and -. It cannot be changed later.">
        {(props) => <input className="field" required autoFocus pattern="[a-z0-9_\-]{1,64}" autoComplete="off" spellCheck={false} {...props} value={name} onChange={({ target }) => setName(target.value)} />}
      </Field>
      <Description value={description} mistake={mistakes.get("description")} onChange={setDescription} />
      <AccessFields access={access} onChange={setAccess} />
    </Dialog>
  );
}

export function ChangeCollection({ collection, onClose }: { collection: Collection; onClose: () => void }) {
  const [description, setDescription] = useState(collection.description);
  const [access, setAccess] = useState(collection.access);
  const [failure, setFailure] = useState<unknown>();
  const save = async () => {
    try {
      await patch("/api/v1/collections/{name}", { description: description.trim(), access }, { params: { name: collection.name } });
    } catch (error) {
      setFailure(error);
      throw error;
    } finally {
      readAgain();
    }
    toast(`${collection.name} is changed.`);
  };
  return (
    <Dialog title={`Change ${collection.name}`} act="Save" onAct={save} onClose={onClose} isShown={(error) => isOfMembers(error, members)}>
      <Description value={description} mistake={mistakesOf(failure).get("description")} onChange={setDescription} />
      <AccessFields access={access} onChange={setAccess} />
    </Dialog>
  );
}
