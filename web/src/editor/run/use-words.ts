import { useEffect, useState } from "react";

import { stream, type StreamEvent } from "../../api/events";

export type Words = ReadonlyMap<string, string>;

/** With one more event of an execution. An empty piece says that those before it were thoughts; a node that ends has its result. Pure. */
export function withPiece(words: Words, topic: string, { type, data }: StreamEvent): Words {
  if (data.topic !== topic || typeof data.node !== "string") return words;
  const before = words.get(data.node);
  if (type === "node_finished" && before !== undefined) return new Map([...words].filter(([node]) => node !== data.node));
  const text = (data.detail as { text?: unknown } | undefined)?.text;
  if (type !== "model_chunk" || typeof text !== "string") return words;
  return new Map(words).set(data.node, text === "" ? "" : (before ?? "") + text);
}

/** What models write now, by their nodes. */
export function useWords(job: number): Words {
  const [words, setWords] = useState<Words>(new Map());
  useEffect(() => stream.listen((event) => setWords((before) => withPiece(before, `execution:${job}`, event))), [job]);
  return words;
}
