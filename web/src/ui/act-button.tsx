import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";

import { wordsOf } from "../api/problem";
import { useRefusal } from "../api/me";
import type { Change } from "../api/roles";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { toast } from "./toast";

interface Props {
  children: string;
  act: () => Promise<unknown>;
  /** Lists to read again afterwards, by the first part of their keys. */
  changes: readonly string[];
  done: string;
  /** What it will do. With `ask` it is asked before, else it is the title. */
  says: string;
  ask?: ReactNode;
  danger?: boolean;
  /** It is what the page is for. */
  main?: boolean;
  /** The endpoint, where others than owners may ask it. */
  change?: Change;
}

/** A button that does one thing on the server and says what came of it. */
export function ActButton({ children, act, changes, done, says, ask, danger, main, change }: Props) {
  const cache = useQueryClient();
  const refusal = useRefusal(change);
  const [asked, setAsked] = useState(false);
  const run = useMutation({
    mutationFn: act,
    onSuccess: () => toast(done),
    onError: (error) => !ask && toast(wordsOf(error), true),
    onSettled: () => changes.forEach((key) => void cache.invalidateQueries({ queryKey: [key] })),
  });
  return (
    <>
      <Button
        {...(danger ? { kind: "danger" as const } : main ? { kind: "main" as const } : {})}
        title={says}
        refusal={refusal}
        disabled={run.isPending}
        onClick={() => (ask ? setAsked(true) : run.mutate())}
      >
        {children}
      </Button>
      {asked && (
        <Dialog title={says} act={children} danger={danger ?? false} onAct={() => run.mutateAsync()} onClose={() => setAsked(false)}>
          {ask}
        </Dialog>
      )}
    </>
  );
}
