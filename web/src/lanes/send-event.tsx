// An event for whichever job of a lane waits for it.
import { useState } from "react";

import { post } from "../api/client";
import { typedJson } from "../api/json";
import { useRefusal } from "../api/me";
import { sentence } from "../api/words";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { toast } from "../ui/toast";

/** What the API takes, of what a person typed. Throws what is wrong. */
export function eventOf(type: string, match: string, text: string): { type: string; match?: string; payload?: unknown } {
  const payload = typedJson(text, "The payload");
  return { type: type.trim(), ...(match.trim() ? { match: match.trim() } : {}), ...(payload === undefined ? {} : { payload }) };
}

function EventDialog({ lane, onClose }: { lane: string; onClose: () => void }) {
  const [type, setType] = useState("");
  const [match, setMatch] = useState("");
  const [payload, setPayload] = useState("");
  const send = async () => {
    const { operation } = await post("/api/v1/lanes/{lane}/events", eventOf(type, match, payload), { params: { lane } });
    toast(sentence(operation.detail) ?? "The event is sent.");
  };
  return (
    <Dialog title="Send an event to this lane" act="Send" onAct={send} onClose={onClose}>
      <p className="soft">The first job of the lane that waits for it gets it. Without such a job it is kept for the next one.</p>
      <Field label="Type">{(props) => <input className="field" required {...props} value={type} onChange={(event) => setType(event.target.value)} />}</Field>
      <Field label="Match" hint="Only a wait with the same word takes it.">{(props) => <input className="field" {...props} value={match} onChange={(event) => setMatch(event.target.value)} />}</Field>
      <Field label="Payload (JSON)">{(props) => <textarea className="field mono" rows={4} {...props} value={payload} onChange={(event) => setPayload(event.target.value)} />}</Field>
    </Dialog>
  );
}

export function SendEvent({ lane }: { lane: string }) {
  const refusal = useRefusal();
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button refusal={refusal} title="Sends an event to the job of this lane that waits for it." onClick={() => setAsked(true)}>Send event</Button>
      {asked && <EventDialog lane={lane} onClose={() => setAsked(false)} />}
    </>
  );
}
