// The checks of a verdict, and why it is what it is.
import { Dialog } from "../ui/dialog";
import { Fold } from "../ui/fold";
import { Table, type Column } from "../ui/table";
import type { CheckResult, Verdict } from "./queries";
import { pointsText, tellingOf } from "./words";

const columns: Column<CheckResult>[] = [
  { name: "Check", show: ({ name }) => <span className="mono nowrap">{name}</span> },
  { name: "Reason", kind: "wide", show: ({ reason }) => <span>{reason || <span className="faint">found nothing</span>}</span> },
  { name: "Score", kind: "number", named: true, show: ({ score }) => score.toFixed(2) },
  { name: "Weight", kind: "number", named: true, show: ({ weight }) => weight },
  { name: "Points", kind: "number", named: true, show: ({ points }) => pointsText(points) },
];

export function Checks({ checks, label }: { checks: readonly CheckResult[]; label: string }) {
  const telling = tellingOf(checks);
  const silent = checks.length - telling.length;
  return (
    <>
      {telling.length > 0 && <Table label={label} columns={columns} rows={telling} keyOf={({ name }) => name} />}
      {silent > 0 && <Fold summary={`${silent} checks found nothing`}><p className="soft">{checks.filter(({ reason }) => !reason).map(({ name }) => name).join(", ")}</p></Fold>}
    </>
  );
}

export function WhyDialog({ verdict: { text, points, threshold, reason, checks }, onClose }: { verdict: Verdict; onClose: () => void }) {
  return (
    <Dialog wide title={`${pointsText(points)} points of ${threshold}`} onClose={onClose}>
      <blockquote className="said">{text || "(no text)"}</blockquote>
      <p>{reason}.</p>
      <Checks checks={checks} label="Checks" />
    </Dialog>
  );
}
