import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { wordsOf } from "../api/problem";
import { useRefusal } from "../api/me";
import type { Change } from "../api/roles";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { useKeptDialog } from "./kept-dialog";
import { toast } from "./toast";

interface Act {
  children: string;
  act: () => Promise<unknown>;
  /** Lists to read again afterwards, by the first part of their keys. */
  changes: readonly string[];
  done: string;
  /** What it will do. With `ask` it is asked before, else it is the title. */
  says: string;
  ask?: ReactNode;
  danger?: boolean;
}

interface Props extends Act {
  /** It is what the page is for. */
  main?: boolean;
  /** The endpoint, where others than owners may ask it. */
  change?: Change;
}

/** `asked`: a dialog shows its failure. */
function useAct({ act, changes, done }: Pick<Act, "act" | "changes" | "done">, asked: boolean) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: () => toast(done),
    onError: (error) => !asked && toast(wordsOf(error), true),
    onSettled: () => changes.forEach((key) => void cache.invalidateQueries({ queryKey: [key] })),
  });
}

function Question({ onClose, children, says, ask, danger = false, ...own }: Act & { onClose: () => void }) {
  const run = useAct(own, true);
  return (
    <Dialog title={says} act={children} danger={danger} onAct={() => run.mutateAsync()} onClose={onClose}>
      {ask}
    </Dialog>
  );
}

/** A button that does one thing on the server and says what came of it. */
export function ActButton({ main, change, ...own }: Props) {
  const refusal = useRefusal(change);
  const show = useKeptDialog();
  const run = useAct(own, false);
  const { children, says, ask, danger } = own;
  return (
    <Button
      {...(danger ? { kind: "danger" as const } : main ? { kind: "main" as const } : {})}
      title={says}
      refusal={refusal}
      disabled={run.isPending}
      onClick={() => (ask ? show((close) => <Question {...own} onClose={close} />) : run.mutate())}
    >
      {children}
    </Button>
  );
}
