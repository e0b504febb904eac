import { useState } from "react";

import { Button } from "../ui/button";
import { headOf } from "./words";

/** The text of a part; of a long one the beginning, until more is asked for. */
export function PartText({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const { head, isCut } = headOf({ text });
  return (
    <>
      <p className="said">{whole ? text : head}</p>
      {isCut && <div><Button kind="plain" aria-expanded={whole} onClick={() => setWhole(!whole)}>{whole ? "Show less" : "Show all of it"}</Button></div>}
    </>
  );
}
