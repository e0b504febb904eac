// What a parameter comes to on the data of the flow's last execution. The server computes it: a browser would do it
// another way, and data of others runs nowhere here.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { post } from "../../api/client";
import { printJson } from "../../api/json";
import { wordsOf } from "../../api/problem";
import { useDesk } from "../desk";
import { useForm } from "./place";

const PAUSE_MS = 350;

function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

export function usePreview(value: string) {
  const { session } = useDesk();
  const { node } = useForm();
  const settled = useSettled(value);
  return useQuery({
    queryKey: ["expression-preview", session.name, node, settled],
    queryFn: ({ signal }) => post("/api/v1/expressions/preview", { value: settled, flow: session.name, node }, { signal }),
    retry: false,
    placeholderData: (before) => before,
  });
}

const shown = (value: unknown) => (typeof value === "string" ? value : printJson(value, 2));

export function Preview({ value }: { value: string }) {
  const { data, error } = usePreview(value);
  if (error) return <p className="preview faint">No preview: {wordsOf(error)}</p>;
  if (!data) return <p className="preview faint">…</p>;
  const [wrong] = data.errors ?? [];
  if (wrong) return <p className="preview bad">Column {wrong.column}: {wrong.message}</p>;
  return <div className="preview"><span className="faint">On the last run</span><pre tabIndex={0}>{shown(data.value)}</pre></div>;
}
