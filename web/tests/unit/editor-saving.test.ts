import { describe, expect, it } from "vitest";

import { Problem, unreachable } from "../../src/api/problem";
import type { FlowDocument } from "../../src/editor/document/model";
import { apart, differencesOf, mergedBy, usualSide } from "../../src/editor/saving/merge";
import { byAnswers } from "../../src/editor/saving/presence";
import { baseOf } from "../../src/editor/saving/recovery";
import { type Outside, PAUSE_MS, RETRY_MS, Saver } from "../../src/editor/saving/saver";

const draft = (words: string): FlowDocument => ({ name: "a", nodes: [], description: words });
const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

/** A server that answers as it is told, and a clock that moves by hand. */
function scripted() {
  const server = { tag: 1, document: draft("first"), inFlight: 0, most: 0, puts: [] as string[], script: [] as (Problem | "lost")[], hold: undefined as (() => void) | undefined, holds: false };
  let timer: { run: () => void; milliseconds: number } | undefined;
  const outside: Outside = {
    put: async (document, tag) => {
      server.inFlight += 1;
      server.most = Math.max(server.most, server.inFlight);
      server.puts.push(`${String(document.description)} if ${tag}`);
      if (server.holds) await new Promise<void>((go) => (server.hold = go));
      server.inFlight -= 1;
      const answer = server.script.shift();
      if (answer instanceof Problem) throw answer;
      if (tag !== String(server.tag)) throw new Problem(412, "precondition_failed", "another draft");
      server.tag += 1;
      server.document = structuredClone(document);
      if (answer === "lost") throw unreachable();
      return String(server.tag);
    },
    read: async () => ({ document: server.document, tag: String(server.tag) }),
    later: (run, milliseconds) => {
      const own = { run, milliseconds };
      timer = own;
      return () => timer === own && (timer = undefined);
    },
  };
  const saver = new Saver({ document: server.document, tag: "1" }, outside);
  const tick = async () => {
    const own = timer;
    timer = undefined;
    own?.run();
    await settled();
    return own?.milliseconds;
  };
  return { server, saver, tick, waits: () => timer?.milliseconds };
}

describe("the saver", () => {
  it("saves after a pause, and is then not dirty", async () => {
    const { server, saver, tick } = scripted();
    saver.change(draft("second"));
    expect([saver.dirty, saver.state.kind]).toEqual([true, "waiting"]);
    expect(await tick()).toBe(PAUSE_MS);
    expect([saver.dirty, saver.state.kind, server.document.description]).toEqual([false, "saved", "second"]);
  });

  it("has one request in flight, and reads the tag when it sends", async () => {
    const { server, saver, tick } = scripted();
    server.holds = true;
    saver.change(draft("second"));
    await tick();
    saver.change(draft("third"));
    saver.change(draft("fourth"));
    server.holds = false;
    server.hold?.();
    await settled();
    expect(saver.state.kind).toBe("waiting");
    await tick();
    expect(server.puts).toEqual(["second if 1", "fourth if 2"]);
    expect([server.most, saver.dirty]).toEqual([1, false]);
  });

  it("saves nothing where an undo led back to what is saved", async () => {
    const { server, saver, waits } = scripted();
    const before = server.document;
    saver.change(draft("second"));
    saver.change(before);
    expect([saver.state.kind, waits()]).toEqual(["saved", undefined]);
  });

  it("tries again for good, more and more slowly", async () => {
    const { server, saver, tick } = scripted();
    server.script = Array.from({ length: 7 }, unreachable);
    saver.change(draft("second"));
    await tick();
    const pauses = [];
    for (let turn = 0; turn < 7; turn += 1) pauses.push(await tick());
    expect(pauses).toEqual([...RETRY_MS, RETRY_MS.at(-1), RETRY_MS.at(-1)]);
    expect([saver.state.kind, server.document.description]).toEqual(["saved", "second"]);
  });

  it("knows its own draft where the answer was lost", async () => {
    const { server, saver, tick } = scripted();
    server.script = ["lost"];
    saver.change(draft("second"));
    await tick();
    expect(saver.state.kind).toBe("failing");
    saver.change(draft("third"));
    await tick();
    await tick();
    expect([saver.state.kind, server.document.description, saver.dirty]).toEqual(["saved", "third", false]);
  });

  it("stops at a draft of somebody else, and goes on where a person decides", async () => {
    const { server, saver, tick, waits } = scripted();
    [server.tag, server.document] = [5, draft("theirs")];
    saver.change(draft("mine"));
    await tick();
    expect(saver.state).toMatchObject({ kind: "conflict", base: draft("first"), theirs: { document: draft("theirs"), tag: "5" } });
    saver.change(draft("mine, more"));
    expect([waits(), server.puts.length]).toEqual([undefined, 1]);
    saver.settle({ document: draft("theirs"), tag: "5" });
    await tick();
    expect([saver.state.kind, server.document.description]).toEqual(["saved", "mine, more"]);
  });

  it("waits for the login and keeps the edits", async () => {
    const { server, saver, tick, waits } = scripted();
    server.script = [new Problem(401, "unauthorized", "")];
    saver.change(draft("second"));
    await tick();
    saver.change(draft("third"));
    expect([saver.state.kind, saver.dirty, waits()]).toEqual(["signed_out", true, undefined]);
    saver.resume();
    await tick();
    expect([saver.state.kind, server.document.description]).toEqual(["saved", "third"]);
  });

  it("says why a document is refused, and tries the next one", async () => {
    const { server, saver, tick } = scripted();
    server.script = [new Problem(422, "invalid_flow", "no name")];
    saver.change(draft("second"));
    await tick();
    expect(saver.state).toEqual({ kind: "refused", words: "no name" });
    saver.change(draft("third"));
    await tick();
    expect([saver.state.kind, server.document.description]).toEqual(["saved", "third"]);
  });

  it("can be asked to save at once", async () => {
    const { server, saver } = scripted();
    saver.change(draft("second"));
    expect(await saver.flush()).toBe(true);
    expect(server.document.description).toBe("second");
    server.script = [unreachable()];
    saver.change(draft("third"));
    expect(await saver.flush()).toBe(false);
  });
});

describe("two drafts of one", () => {
  const node = (id: string, text: string) => ({ id, name: id.toUpperCase(), type: "set", parameters: { text } });
  const base: FlowDocument = { name: "f", settings: { timeout: "1h" }, nodes: [node("a", "1"), node("b", "1"), node("c", "1")], connections: [{ from: "a", to: "b" }, { from: "b", to: "c" }] };
  const mine: FlowDocument = { ...base, nodes: [node("a", "mine"), node("b", "mine"), node("c", "1"), node("d", "new")], connections: [{ from: "a", to: "b" }, { from: "b", to: "c" }, { from: "c", to: "d" }] };
  const theirs: FlowDocument = { ...base, settings: { timeout: "2h" }, nodes: [node("a", "1"), node("b", "theirs")], connections: [{ from: "a", to: "b" }] };

  it("are compared by node", () => {
    expect(differencesOf(base, mine, theirs).map(({ key, mine: own, theirs: other, disputed }) => [key, own, other, disputed])).toEqual([
      ["node a", "changed", "same", false],
      ["node b", "changed", "changed", true],
      ["node c", "same", "removed", false],
      ["node d", "added", "same", false],
      ["settings.timeout", "same", "changed", false],
    ]);
  });

  it("become one of what each side did", () => {
    const merged = mergedBy(base, mine, theirs, usualSide);
    expect(merged).toEqual({ name: "f", settings: { timeout: "2h" }, nodes: [node("a", "mine"), node("b", "mine"), node("d", "new")], connections: [{ from: "a", to: "b" }] });
    expect(mergedBy(base, mine, theirs, () => "theirs").nodes).toEqual([node("a", "1"), node("b", "theirs")]);
  });

  it("keep both of two new nodes that got one id and one name", () => {
    const [own, other] = [{ ...base, nodes: [...base.nodes, node("d", "mine"), { ...node("e", "{{ $node[\"D\"].text }}") }], connections: [...(base.connections ?? []), { from: "d", to: "e" }] }, { ...base, nodes: [...base.nodes, node("d", "theirs")] }];
    const merged = mergedBy(base, apart(base, own, other), other, usualSide);
    expect(merged.nodes.map(({ id, name, parameters }) => [id, name, parameters?.text])).toEqual([["a", "A", "1"], ["b", "B", "1"], ["c", "C", "1"], ["d_2", "D 2", "mine"], ["e", "E", '{{ $node["D 2"].text }}'], ["d", "D", "theirs"]]);
    expect(merged.connections?.at(-1)).toEqual({ from: "d_2", to: "e" });
  });

  it("keep a new node of both that is the same", () => {
    const both = { ...base, nodes: [...base.nodes, node("d", "1")] };
    expect(apart(base, both, both)).toBe(both);
  });

  it("give no two nodes one name", () => {
    const own = { ...base, nodes: base.nodes.map((node) => (node.id === "a" ? { ...node, name: "Reply" } : node)) };
    const other = { ...base, nodes: [...base.nodes, { ...node("r", "1"), name: "Reply" }] };
    expect(mergedBy(base, apart(base, own, other), other, usualSide).nodes.map(({ name }) => name)).toEqual(["Reply 2", "B", "C", "Reply"]);
  });

  it("keep the notes and pinned items of both", () => {
    const [first, second] = [{ id: "n", text: "mine", x: 0, y: 0 }, { id: "o", text: "theirs", x: 9, y: 9 }];
    const own = { ...base, notes: [first], pinned: { A: [{ x: 1 }] } };
    const other = { ...base, notes: [second], pinned: { B: [{ x: 2 }] } };
    expect(mergedBy(base, own, other, usualSide)).toMatchObject({ notes: [first, second], pinned: { A: [{ x: 1 }], B: [{ x: 2 }] } });
    expect(differencesOf(base, own, other).map(({ key }) => key)).toEqual(["notes.n", "pinned.A", "notes.o", "pinned.B"]);
  });

  it("are not disputed where both did the same", () => expect(differencesOf(base, mine, mine).some(({ disputed }) => disputed)).toBe(false));
});

describe("changes that were left behind", () => {
  it("grew from what the server has, where nobody saved since", () => expect(baseOf([draft("first"), draft("second")], draft("second"))).toEqual({ base: draft("second"), isPresent: true }));
  it("are merged where others saved since", () => expect(baseOf([draft("first")], draft("theirs"))).toEqual({ base: draft("first"), isPresent: false }));
  it("have no base that is known: all of them are mine", () => expect(baseOf([], draft("theirs"))).toEqual({ base: draft("theirs"), isPresent: false }));

  it("are kept with what the server may have", async () => {
    const { saver, server, tick } = scripted();
    expect(saver.bases).toEqual([draft("first")]);
    server.script = [unreachable(), unreachable()];
    saver.change(draft("second"));
    await tick();
    saver.change(draft("third"));
    await tick();
    expect(saver.bases).toEqual([draft("first"), draft("third"), draft("second")]);
  });
});

describe("open editors without the browser's locks", () => {
  it("answer each other until they end", async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    await byAnswers().hold("a", first.signal);
    await byAnswers().hold("b", second.signal);
    expect(await byAnswers().held()).toEqual(new Set(["a", "b"]));
    first.abort();
    expect(await byAnswers().held()).toEqual(new Set(["b"]));
    second.abort();
  });
});
