import { useAttention } from "../attention/queries";
import { useStreamState } from "../api/live";
import { clockText, minuteText, useZone, zoneName } from "../ui/zone";
import { connectionOf } from "./connection";

const reasons = {
  connection: "No connection to the server",
  database: "The server cannot read its database",
  answer: "The server has not answered completely",
};

/** Whether what is shown follows the server, and since when it does not. */
export function ConnectionBadge() {
  const connection = connectionOf(useStreamState(), useAttention());
  const zone = useZone();
  if (connection.kind === "live") return <span className="state tone-good" title="Changes arrive as they happen.">live</span>;
  if (connection.kind === "polling")
    return <span className="state tone-idle hollow" title="This server has no stream of events. Lists are read again every 10 seconds.">polling</span>;
  const { since, reason } = connection;
  return (
    <span className="state tone-warn" title={`${reasons[reason]} since ${clockText(since, zone)} ${zoneName(zone)}. It is tried again.`}>
      stale since {minuteText(since, zone)}
    </span>
  );
}
