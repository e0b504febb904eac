// The two buttons of the demo, and what came of them as this page saw it.
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import type { Schema } from "../api/client";
import { useStreamState } from "../api/live";
import { useRefusal } from "../api/me";
import { wordsOf } from "../api/problem";
import { Button } from "../ui/button";
import { Panel } from "../ui/page";
import { toast } from "../ui/toast";
import { type Absence, absenceWords, endedBy } from "./absence";
import { hangNextCall, kill } from "./queries";

type Hanging = Schema["DemoChat"]["model_timeout"];

function hangWords({ state, deadline_ms }: Hanging): string {
  const deadline = `its deadline of ${deadline_ms / 1000} s`;
  if (state === "asked") return `The next model call hangs until ${deadline}. Write to the bot now.`;
  if (state === "hangs") return `A model call hangs now. It fails at ${deadline}. Then the turn asks again.`;
  return `The next model call gets no answer and fails at ${deadline}. Then the turn asks again.`;
}

export function Trouble({ hanging }: { hanging: Hanging | undefined }) {
  const refusal = useRefusal();
  const stream = useStreamState();
  const [absence, setAbsence] = useState<Absence>();
  useEffect(() => setAbsence((known) => known && endedBy(known, stream)), [stream]);
  const onError = (error: unknown) => toast(wordsOf(error), true);
  const hang = useMutation({ mutationFn: hangNextCall, onError });
  const end = useMutation({ mutationFn: kill, onMutate: () => setAbsence({ killedAt: Date.now() }), onError: (error) => (setAbsence(undefined), onError(error)) });
  const away = absence && absenceWords(absence, stream);
  return (
    <Panel title="Make trouble">
      <div className="stack">
        <Button refusal={refusal} disabled={hang.isPending} onClick={() => hang.mutate()}>Make the model time out</Button>
        <p className="soft" role="status">{hanging && hangWords(hanging)}</p>
        <Button kind="danger" refusal={refusal} disabled={end.isPending || !stream.live} onClick={() => end.mutate()}>Kill me now</Button>
        <p className="soft">The server process ends at once, as by kill -9. scripts/run starts it again, and an unfinished turn resumes. Without scripts/run, the server stays down until you start it.</p>
        {away && <p role="status"><strong>{away}</strong></p>}
        <p className="faint">To see both: make the model time out, write “add buy milk”, and kill the server while the call hangs.</p>
      </div>
    </Panel>
  );
}
