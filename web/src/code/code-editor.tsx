// A large editor of a text or of JSON. Its script is loaded when the first one opens.
import { useEffect, useRef, useState } from "react";

import "./code.css";
import { MissingScript } from "../ui/lazy-part";
import type { Names } from "./completions";

interface Props {
  label: string;
  kind: "expression" | "json";
  /** What it begins with. */
  text: string;
  names?: Names;
  onChange: (text: string) => void;
}

export function CodeEditor(props: Props) {
  const element = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    let gone = false;
    let end: () => void = () => undefined;
    const open = async () => {
      const { openMirror } = await import("./mirror");
      const { label, kind, text } = latest.current;
      if (!gone && element.current) end = openMirror(element.current, { label, kind, text, names: () => latest.current.names, onChange: (next) => latest.current.onChange(next) });
    };
    open().catch(() => setMissing(true));
    return () => {
      gone = true;
      end();
    };
  }, []);
  return missing ? <MissingScript /> : <div ref={element} className="code-editor" />;
}
