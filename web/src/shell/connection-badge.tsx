import { useStreamState } from "../api/live";
import { clockText, useZone, zoneName } from "../ui/zone";

/** Whether what is shown follows the server, and since when it does not. */
export function ConnectionBadge() {
  const { live, since, absent } = useStreamState();
  const zone = useZone();
  if (live) return <span className="state tone-good" title="Changes arrive as they happen.">live</span>;
  if (absent)
    return <span className="state tone-idle hollow" title="This server has no stream of events. Lists are read again every 10 seconds.">polling</span>;
  return (
    <span className="state tone-warn" title={`No connection since ${clockText(since, zone)} ${zoneName(zone)}. It is tried again.`}>
      stale since {clockText(since, zone).slice(0, 5)}
    </span>
  );
}
