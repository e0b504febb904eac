// Who may search a collection: people, and flows.
import { useQuery } from "@tanstack/react-query";

import { get } from "../api/client";
import { Chips } from "../ui/chips";
import { Loaded } from "../ui/feedback";
import { Field } from "../ui/field";
import type { Access } from "./queries";

interface Props {
  access: Access;
  onChange: (access: Access) => void;
}

const choices = [{ title: "Every flow", value: undefined }, { title: "Chosen flows", value: "chosen" }];

/** Names that no flow has any more stay until they are taken out. */
function FlowChoice({ flows, onChange }: { flows: readonly string[]; onChange: (flows: string[]) => void }) {
  const options = useQuery({ queryKey: ["options", "flow", "all"], queryFn: ({ signal }) => get("/api/v1/options/{reference}", { params: { reference: "flow" }, query: { limit: 200 }, signal }) });
  return (
    <Loaded query={options}>
      {(page) => {
        const names = [...new Set([...page.options.map(({ name }) => name), ...flows])].sort();
        if (names.length === 0) return <p className="soft">{page.none}</p>;
        return (
          <div className="flow-choice">
            {names.map((name) => (
              <label key={name} className="row">
                <input type="checkbox" className="check" checked={flows.includes(name)} onChange={({ target }) => onChange(target.checked ? [...flows, name] : flows.filter((flow) => flow !== name))} />
                <span className="clip">{name}</span>
              </label>
            ))}
          </div>
        );
      }}
    </Loaded>
  );
}

export function AccessFields({ access, onChange }: Props) {
  const { people = "allowed" } = access;
  const flows = access.flows ?? undefined; // every flow
  const own = (next: readonly string[] | undefined, who: NonNullable<Access["people"]>): Access => ({ ...(next ? { flows: [...next] } : {}), people: who });
  return (
    <>
      <Field label="People whose messages may search it">
        {(props) => (
          <select className="pick" {...props} value={people} onChange={({ target }) => onChange(own(flows, target.value as typeof people))}>
            <option value="allowed">all who may use the bot</option>
            <option value="owners">owners only</option>
          </select>
        )}
      </Field>
      <fieldset className="access">
        <legend>Flows that may search it</legend>
        <Chips label="Flows" choices={choices} value={flows && "chosen"} onChange={(value) => onChange(own(value === undefined ? undefined : (flows ?? []), people))} />
        {flows && <FlowChoice flows={flows} onChange={(next) => onChange(own(next, people))} />}
      </fieldset>
    </>
  );
}
