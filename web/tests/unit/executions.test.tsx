import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";

import { FailureNote } from "../../src/executions/failure-note";
import type { NodeRun } from "../../src/executions/queries";
import { Outcome } from "../../src/executions/replay";
import { stopOf } from "../../src/executions/stop";

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
