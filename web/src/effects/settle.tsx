// What a person says of an effect whose outcome nobody recorded.
import { post, type Schema } from "../api/client";
import { ActButton } from "../ui/act-button";
import { settlementsOf } from "./settlements";

const changes = ["job", "effects", "attention"];

export function Settle({ job, effect, state }: { job: number; effect: string; state: Schema["DoubtfulEffect"]["state"] }) {
  const settle = (name: string) =>
    post(`/api/v1/jobs/{id}/effects/{key}/${name}` as "/api/v1/jobs/{id}/effects/{key}/done", {}, { params: { id: job, key: effect } });
  return (
    <div className="row">
      {settlementsOf(state).map(({ name, title, says, ask }) => (
        <ActButton key={name} act={() => settle(name)} changes={changes} says={says} done="The effect is settled." {...(ask ? { ask: <p className="soft">{ask}</p>, danger: true } : {})}>
          {title}
        </ActButton>
      ))}
    </div>
  );
}
