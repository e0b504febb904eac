import { describe, expect, it } from "vitest";

import { targetOf } from "../../src/attention/links";
import type { CheckResult, Verdict } from "../../src/groups/queries";
import { compareChecks, isChanged, setOf, sightOf, stateOf, tellingOf, undoWords } from "../../src/groups/words";

const check = (name: string, points: number, reason = "it has links"): CheckResult => ({ name, points, reason, score: points / 100, weight: 100, spam: points >= 50 });
const caught = (action: "dry_run" | "delete" | "restrict" | "ban", undone_at: string | null = null, refused: string | null = null): Verdict["catch"] => ({ action, by: "filter", undone_at, undone_by: undone_at && "owner", refused });

describe("verdicts of the spam filter", () => {
  it("say what was done", () => {
    expect(stateOf({ spam: true, catch: caught("ban") })).toEqual({ name: "failed", words: "banned" });
    expect(stateOf({ spam: true, catch: caught("ban", null, "refused: not enough rights") }).words).toBe("refused by Telegram");
    expect(stateOf({ spam: true, catch: caught("dry_run") })).toEqual({ name: "warning", words: "dry run" });
    expect(stateOf({ spam: true, catch: caught("ban", "2026-11-30T10:00:00Z") }).words).toBe("undone");
    expect(stateOf({ spam: true, catch: null }).words).toBe("spam");
    expect(stateOf({ spam: false, catch: null }).words).toBe("passed");
  });

  it("say what the undoing does, and what it cannot", () => {
    expect(undoWords({ catch: caught("ban") })).toMatch(/^Its author is unbanned.*not bring a deleted message back\.$/);
    expect(undoWords({ catch: caught("dry_run") })).not.toMatch(/deleted message/);
    expect(undoWords({ catch: null })).toMatch(/approved/);
  });

  it("show the strongest checks that found something", () => {
    expect(tellingOf([check("length", 0, ""), check("links", 25), check("similarity", -80)]).map(({ name }) => name)).toEqual(["similarity", "links"]);
  });
});

describe("a try with other rules", () => {
  it("sends texts, and no row without a rule", () => {
    expect(setOf([{ key: "links.weight", value: " 100 " }, { key: "", value: "7" }, { key: "flood.on", value: "false" }])).toEqual({ "links.weight": "100", "flood.on": "false" });
  });

  it("finds the checks that say something else, those that are off as well", () => {
    const compared = compareChecks([check("links", 25), check("emoji", 0)], [check("links", 100), check("emoji", 0), check("forward", 100)]);
    expect(compared.filter(isChanged).map(({ name }) => name)).toEqual(["links", "forward"]);
    expect(compared[2]?.before).toBeUndefined();
  });
});

describe("a group", () => {
  const rights = { standing: "administrator", may_delete: true, may_restrict: true } as const;

  it("shows all messages to an administrator, and to others without privacy mode", () => {
    expect(sightOf({ privacy_mode: true, rights }).words).toBe("all messages");
    expect(sightOf({ privacy_mode: false, rights: null }).words).toBe("all messages");
    expect(sightOf({ privacy_mode: true, rights: { ...rights, standing: "member" } }).name).toBe("warning");
    expect(sightOf({ privacy_mode: null, rights: null }).words).toBe("not known");
  });

  it("has its page as the target of attention", () => {
    expect(targetOf({ kind: "group", link_to: { bot: "main", chat: -100 } })?.href).toBe("/groups/-100");
  });
});
