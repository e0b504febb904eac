// Rules that are other ones in a try, beside the stored ones. Nothing of it is kept.
import { useQuery } from "@tanstack/react-query";

import { get } from "../api/client";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import type { RuleChange } from "./words";

const useRules = () => useQuery({ queryKey: ["spam-rules"], queryFn: ({ signal }) => get("/api/v1/spam/rules", { signal }), staleTime: Infinity });

export function RuleChanges({ changes, onChange, mistake }: { changes: readonly RuleChange[]; onChange: (changes: RuleChange[]) => void; mistake: string | undefined }) {
  const rules = useRules().data?.rules ?? [];
  const set = (index: number, part: Partial<RuleChange>) => onChange(changes.map((change, at) => (at === index ? { ...change, ...part } : change)));
  return (
    <fieldset className="rule-changes">
      <legend>What if</legend>
      {changes.map(({ key, value }, index) => {
        const rule = rules.find((listed) => listed.key === key);
        return (
          <div className="rule-change" key={index}>
            <Field label={`Rule ${index + 1}`} hint={rule?.help}>
              {(props) => (
                <select className="pick" {...props} value={key} onChange={(event) => set(index, { key: event.target.value, value: rules.find((listed) => listed.key === event.target.value)?.default ?? "" })}>
                  <option value="">Choose a rule</option>
                  {rules.map((listed) => <option key={listed.key}>{listed.key}</option>)}
                </select>
              )}
            </Field>
            <Field label={`Value ${index + 1}`} hint={rule && `default ${rule.default || "empty"}`}>
              {(props) => <input className="field mono" {...props} value={value} onChange={(event) => set(index, { value: event.target.value })} />}
            </Field>
            <Button kind="plain" aria-label={`Keep rule ${index + 1} as it is`} onClick={() => onChange(changes.filter((_, at) => at !== index))}>Remove</Button>
          </div>
        );
      })}
      {mistake && <p role="alert" className="bad">{mistake}</p>}
      <div><Button onClick={() => onChange([...changes, { key: "", value: "" }])}>Change a rule</Button></div>
    </fieldset>
  );
}
