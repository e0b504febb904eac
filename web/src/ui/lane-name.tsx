const uuid = /([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

/** A lane in words. A conversation's long id is cut to its first digits; the title has all of it. */
export function LaneName({ name }: { name: string }) {
  return (
    <span className="clip lane-name" title={name}>
      {name.replace(uuid, "$1")}
    </span>
  );
}
