import { describe, expect, it } from "vitest";

import type { Schema } from "../../src/api/client";
import { labelOf, mannerOf, othersOf, targetOf } from "../../src/attention/links";
import { doubtOf, settlementsOf } from "../../src/effects/settlements";

type Kind = Schema["AttentionKind"];
const item = (kind: Kind, ids: Schema["AttentionTarget"]) => ({ kind, link_to: ids });
const hrefOf = (kind: Kind, ids: Schema["AttentionTarget"]) => targetOf(item(kind, ids))?.href;

describe("items of attention", () => {
  it("lead to the page of what they are about", () => {
    expect(hrefOf("dead_letter", { job_id: 7, lane: "1:2:0" })).toBe("/jobs/7");
    expect(hrefOf("effect_in_doubt", { job_id: 7, effect: "reply/send" })).toBe("/jobs/7");
    expect(hrefOf("approval", { approval_id: "b", job_id: 7 })).toBe("/approvals");
  });

  it("lead to the page that helps where they have no action", () => {
    expect(hrefOf("budget", { scope: "total", subject: "" })).toBe("/usage?days=1");
    expect(hrefOf("budget", { scope: "user", subject: "42" })).toBe("/usage?by=user&days=1");
    expect(hrefOf("stopped_bot", { bot: "my bot" })).toBe("/bots/my%20bot");
    expect(hrefOf("breaker", { limit: "bot:main" })).toBe("/bots");
    expect(hrefOf("breaker", { limit: "provider:anthropic" })).toBe("/doctor");
    expect(hrefOf("mcp_server", { mcp_server: "my files" })).toBe("/tools?server=my%20files");
  });

  it("name the other pages beside it", () => {
    const others = othersOf(item("dead_letter", { job_id: 7, lane: "1:2:0", lane_name: "main, chat 2", flow: "todo" }));
    expect(others).toEqual([
      { href: "/lanes/1%3A2%3A0", words: "main, chat 2" },
      { href: "/executions?flow=todo", words: "Flow todo" },
    ]);
    expect(othersOf(item("approval", { job_id: 7 }))).toEqual([{ href: "/jobs/7", words: "Job 7" }]);
  });

  it("ask before what cannot be undone, and at nothing else", () => {
    for (const name of ["answer", "approve", "reject", "cancel", "drop", "resend", "restart", "accept"]) expect(mannerOf(name).asks).toBe(true);
    for (const name of ["retry", "done"]) expect(mannerOf(name).asks).toBe(false);
    expect(mannerOf("accept").kind).toBe("main");
  });
});

describe("effects in doubt", () => {
  it("have the same names as on their own page", () => {
    expect(settlementsOf("unknown").map(({ name }) => labelOf(name))).toEqual(["It happened", "Do it again", "Drop it"]);
    expect(labelOf("send_again")).toBe("Send again");
  });

  it("cannot be dropped once they are done, and are not shown as fine", () => {
    expect(settlementsOf("done").map(({ name }) => name)).toEqual(["done", "resend"]);
    expect(doubtOf({ state: "done", flagged: true })).toEqual({ name: "warning", words: "done, maybe twice" });
    expect(doubtOf({ state: "unknown", flagged: false }).words).toBe("outcome unknown");
  });
});
