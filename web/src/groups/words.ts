// What was done and what was found, in words. Pure.
import type { CheckResult, Group, Verdict } from "./queries";

interface StateWords {
  name: string;
  words: string;
}

const done: Record<string, string> = { dry_run: "dry run", delete: "deleted", restrict: "restricted", ban: "banned" };

/** What became of a message. */
export function stateOf({ spam, catch: caught }: Pick<Verdict, "spam" | "catch">): StateWords {
  if (caught?.undone_at) return { name: "withdrawn", words: "undone" };
  if (caught?.refused) return { name: "warning", words: "refused by Telegram" };
  if (caught) return { name: caught.action === "dry_run" ? "warning" : "failed", words: done[caught.action] ?? caught.action };
  return spam ? { name: "warning", words: "spam" } : { name: "ok", words: "passed" };
}

/** What the undoing of a catch does, before it is done. */
export function undoWords({ catch: caught }: Pick<Verdict, "catch">): string {
  const ends = caught?.action === "ban" ? "Its author is unbanned" : caught?.action === "restrict" ? "Its author may write again" : "Its author loses their strikes";
  const gone = caught && caught.action !== "dry_run" ? " Telegram does not bring a deleted message back." : "";
  return `${ends} and is approved. The filter learns the text as no spam, and forgets it as spam.${gone}`;
}

export const pointsText = (points: number): string => String(Math.round(points));

/** The checks that said something; the strongest first. */
export const tellingOf = (checks: readonly CheckResult[]): CheckResult[] =>
  checks.filter(({ reason }) => reason !== "").sort((a, b) => Math.abs(b.points) - Math.abs(a.points));

export interface RuleChange {
  key: string;
  value: string;
}

/** As the server takes them: every value is a text. Rows without a rule are left out. */
export function setOf(changes: readonly RuleChange[]): Record<string, string> {
  return Object.fromEntries(changes.filter(({ key }) => key !== "").map(({ key, value }) => [key, value.trim()]));
}

export interface ComparedCheck {
  name: string;
  before: CheckResult | undefined;
  after: CheckResult | undefined;
}

/** Checks of two verdicts side by side, in the order of the first; those with another result are told apart. */
export function compareChecks(before: readonly CheckResult[], after: readonly CheckResult[]): ComparedCheck[] {
  const names = [...new Set([...before, ...after].map(({ name }) => name))];
  const find = (checks: readonly CheckResult[], name: string) => checks.find((check) => check.name === name);
  return names.map((name) => ({ name, before: find(before, name), after: find(after, name) }));
}

export const isChanged = ({ before, after }: ComparedCheck): boolean => before?.points !== after?.points || before?.reason !== after?.reason;

/** What Telegram shows the bot of a group. */
export function sightOf({ privacy_mode, rights }: Pick<Group, "privacy_mode" | "rights">): StateWords {
  const runs = rights?.standing === "administrator" || rights?.standing === "owner";
  if (runs || privacy_mode === false) return { name: "ok", words: "all messages" };
  return privacy_mode === null ? { name: "idle", words: "not known" } : { name: "warning", words: "commands, replies and mentions" };
}
