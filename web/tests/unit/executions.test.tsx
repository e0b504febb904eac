import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Router } from "wouter";

import { FailureNote } from "../../src/executions/failure-note";
import type { NodeRun } from "../../src/executions/queries";
import { Outcome } from "../../src/executions/replay";
import { stopOf } from "../../src/executions/stop";
import { TurnPanel } from "../../src/executions/trial";

const node = (type: string, state: string, message?: string) =>
  ({ node: type, name: `My ${type}`, type, state, error: message === undefined ? null : { code: "refused", message } }) as unknown as NodeRun;

describe("an execution that its flow's stop node ended", () => {
  const failed = { state: "failed" as const, error: "My stop: no customer", error_class: "refused" as const };

  it("says so, with the node's message", () => {
    const stop = stopOf([node("set", "done"), node("stop", "failed", "The order has no customer.")]);
    const html = renderToStaticMarkup(<FailureNote run={failed} stop={stop} />);
    expect(html).toContain("stop node “My stop” ended it");
    expect(html).toContain("The order has no customer.");
    expect(html).not.toContain("refused");
  });

  it("is no other failure", () => {
    expect(stopOf([node("http", "failed", "403"), node("stop", "not_reached")])).toBeUndefined();
    expect(stopOf(null)).toBeUndefined();
    expect(renderToStaticMarkup(<FailureNote run={failed} stop={undefined} />)).toContain("It failed: refused");
  });
});

describe("the outcome of a replay", () => {
  it("is announced without its output, of which a screen reader would read all", () => {
    const html = renderToStaticMarkup(<Outcome replay={{ state: "completed", departures: { missing: [], unasked: [] }, output: { a: 1 } } as unknown as Parameters<typeof Outcome>[0]["replay"]} />);
    const status = html.slice(html.indexOf('role="status"'), html.indexOf("the same steps as the record"));
    expect(status).not.toBe("");
    expect(status).not.toContain('role="tree"');
    expect(html.indexOf('role="tree"')).toBeGreaterThan(html.indexOf("the same steps as the record"));
  });
});

describe("a trial", () => {
  const shown = (panel: ReactNode) => renderToStaticMarkup(<Router ssrPath="/">{panel}</Router>);
  const turn = (changes: object) =>
    ({ job_id: 77, state: "completed", model: "small", text: "It is 2.", error: null, calls: [], tokens_in: 30, tokens_out: 6, tokens_cached: 0, cost: 0.25, ...changes }) as unknown as Parameters<typeof TurnPanel>[0]["turn"];

  it("shows the answer, the tool calls and what it cost", () => {
    const call = { tool: "calculator", arguments: { expression: "1+1" }, result: "2", error: null, recorded: true };
    const html = shown(<TurnPanel title="Trial" turn={turn({ calls: [call] })} />);
    for (const words of ["It is 2.", "calculator", "recorded result", "30 in, 6 out", "small"]) expect(html).toContain(words);
  });

  it("says why there is no answer", () => {
    expect(shown(<TurnPanel title="Trial" turn={turn({ state: "failed", text: null, error: "refused: no credit" })} />)).toContain("refused: no credit");
    expect(shown(<TurnPanel title="Original" turn={null} />)).toContain("Its record was deleted.");
  });
});
