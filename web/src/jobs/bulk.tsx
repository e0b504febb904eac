// Operations on many jobs. "3 selected" acts on the listed ids; "all that match" asks for a dry run first, shows
// its jobs in the question, and acts on these.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { useRefusal } from "../api/me";
import { wordsOf } from "../api/problem";
import { titleOf } from "../api/words";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import type { Filters } from "../ui/filters";
import { plural } from "../ui/numbers";
import { toast } from "../ui/toast";
import { operateOnEach, textOf } from "./bulk-act";
import { type BulkOutcome, operate, operateOnAll, preview, type Verb } from "./queries";

const verbs: readonly Verb[] = ["retry", "cancel", "pause", "resume"];
const LIMIT = 1_000;

interface Question {
  verb: Verb;
  ids?: readonly number[];
  preview?: BulkOutcome;
}

export function BulkBar({ filters, picked, onDone }: { filters: Filters; picked: ReadonlySet<number>; onDone: (left: readonly number[]) => void }) {
  const cache = useQueryClient();
  const refusal = useRefusal();
  const [question, setQuestion] = useState<Question>();
  const filtered = Object.keys(filters).length > 0;
  if (picked.size === 0 && !filtered) return null;

  const ask = async (verb: Verb) => {
    if (picked.size > 0) return setQuestion({ verb, ids: [...picked] });
    try {
      setQuestion({ verb, preview: await preview(verb, filters, LIMIT) });
    } catch (error) {
      toast(wordsOf(error), true);
    }
  };
  const act = async ({ verb, ids, preview: listed }: Question) => {
    if (ids) {
      const { text, left } = await operateOnEach(verb, ids, operate);
      toast(text, left.length > 0);
      onDone(left);
    } else toast(textOf(verb, await operateOnAll(verb, listed?.job_ids ?? [])));
    void cache.invalidateQueries({ queryKey: ["jobs"] });
  };
  const count = question?.ids?.length ?? question?.preview?.job_ids.length ?? 0;
  return (
    <div className="bulk" role="group" aria-label="Operations on many jobs">
      <span className="soft">{picked.size > 0 ? `${picked.size} selected` : "All that match:"}</span>
      {verbs.map((verb) => (
        <Button key={verb} kind="plain" className={verb === "cancel" ? "bad" : ""} refusal={refusal} onClick={() => void ask(verb)}>
          {titleOf(verb)}
        </Button>
      ))}
      {picked.size > 0 && <Button kind="plain" className="spread" onClick={() => onDone([])}>Select none</Button>}
      {question && (
        <Dialog
          title={`${titleOf(question.verb)} ${plural(count, "job")}?`}
          danger={question.verb === "cancel"}
          {...(count > 0 ? { act: `${titleOf(question.verb)} ${count}` } : {})}
          onAct={() => act(question)}
          onClose={() => setQuestion(undefined)}
        >
          <Preview question={question} />
        </Dialog>
      )}
    </div>
  );
}

function Preview({ question: { ids, preview: outcome, verb } }: { question: Question }) {
  const listed = ids ?? outcome?.job_ids ?? [];
  const refused = outcome?.refused ?? [];
  return (
    <>
      {listed.length === 0 && <p>No job that matches can be changed by “{verb}”.</p>}
      {listed.length > 0 && <p className="mono soft">{listed.slice(0, 40).join(", ")}{listed.length > 40 ? ` and ${listed.length - 40} more` : ""}</p>}
      {listed.length >= LIMIT && <p>At most {LIMIT} are changed at once, the newest first. Repeat it for the rest.</p>}
      {refused.length > 0 && <p className="bad">{plural(refused.length, "job")} would refuse it.</p>}
    </>
  );
}
