import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { Link } from "wouter";

import { useRefusal } from "../api/me";
import { wordsOf } from "../api/problem";
import { Call, useApproval } from "../approvals/call";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Loaded } from "../ui/feedback";
import { useKeptDialog } from "../ui/kept-dialog";
import { LaneName } from "../ui/lane-name";
import { Time } from "../ui/time";
import { toast } from "../ui/toast";
import { labelOf, mannerOf, othersOf, targetOf } from "./links";
import { type AttentionAction, type AttentionItem, attentionKey, perform } from "./queries";

interface Asked {
  item: AttentionItem;
  action: AttentionAction;
}

const wordOf = ({ label, name }: AttentionAction) => label ?? labelOf(name);

/** `asked`: a dialog shows its failure. */
function usePerform(action: AttentionAction, asked: boolean) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => perform(action),
    onSuccess: (outcome) => toast(outcome ?? `${wordOf(action)}: done.`),
    onError: (error) => !asked && toast(wordsOf(error), true),
    onSettled: () => cache.invalidateQueries({ queryKey: attentionKey }),
  });
}

function Question({ item, action, onClose }: Asked & { onClose: () => void }) {
  const decides = item.kind === "approval" ? item.link_to.approval_id : undefined;
  const approval = useApproval(decides);
  const isSeen = decides === undefined || approval.data !== undefined; // nobody decides about arguments that were not shown
  const run = usePerform(action, true);
  const label = wordOf(action);
  return (
    <Dialog title={`${label}?`} {...(isSeen ? { act: label } : {})} danger={mannerOf(action.name).kind === "danger"} onAct={() => run.mutateAsync()} onClose={onClose}>
      <p><strong>{item.title}</strong></p>
      {decides !== undefined ? <Loaded query={approval}>{(known) => <Call approval={known} />}</Loaded> : item.detail && <p className="soft">{item.detail}</p>}
      <p>{action.says}</p>
    </Dialog>
  );
}

function Act({ item, action, describedBy }: Asked & { describedBy: string }) {
  const refusal = useRefusal();
  const show = useKeptDialog();
  const { kind, asks } = mannerOf(action.name);
  const run = usePerform(action, false);
  const act = () => (asks ? show((close) => <Question item={item} action={action} onClose={close} />) : run.mutate());
  return (
    <Button {...(kind ? { kind } : {})} title={action.says} aria-describedby={describedBy} refusal={refusal} disabled={run.isPending} onClick={act}>
      {wordOf(action)}
    </Button>
  );
}

export function Item({ item }: { item: AttentionItem }) {
  const target = targetOf(item);
  const others = othersOf(item);
  const prefix = useId();
  const saysOf = (index: number) => `${prefix}${index}`;
  return (
    <li>
      <div>
        <div className="head">
          {target ? <Link className="title" href={target.href}>{item.title}</Link> : <span className="title">{item.title}</span>}
          {item.since && <span className="faint"><Time at={item.since} age /></span>}
        </div>
        {item.detail && <p className="detail">{item.detail}</p>}
        {others.length > 0 && <p className="row">{others.map(({ href, words }) => <Link key={href} href={href}><LaneName name={words} /></Link>)}</p>}
        {item.actions.map(({ name, label, says }, index) => <p key={saysOf(index)} id={saysOf(index)} className="faint">{label ?? labelOf(name)}: {says}</p>)}
      </div>
      <div className="acts">
        {item.actions.map((action, index) => <Act key={saysOf(index)} item={item} action={action} describedBy={saysOf(index)} />)}
        {item.actions.length === 0 && target && <Link className="button" href={target.href}>{target.words}</Link>}
      </div>
    </li>
  );
}
