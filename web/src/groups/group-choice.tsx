import { Field } from "../ui/field";
import { useGroups } from "./queries";

/** A group of the bots, or all of them. */
export function GroupChoice({ value, onChange, allLabel }: { value: string; onChange: (chat: string) => void; allLabel: string }) {
  const { data } = useGroups();
  const groups = data?.groups.map(({ chat, title }) => ({ chat: String(chat), title: title ?? `Group ${chat}` })) ?? [];
  const isOther = value !== "" && !groups.some(({ chat }) => chat === value);
  return (
    <Field label="Group">
      {(props) => (
        <select className="pick" {...props} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{allLabel}</option>
          {groups.map(({ chat, title }) => <option key={chat} value={chat}>{title}</option>)}
          {isOther && <option value={value}>Group {value}</option>}
        </select>
      )}
    </Field>
  );
}
