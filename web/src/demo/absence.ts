// How long the server was away after a kill, as far as the stream of events tells. Pure.

export interface Absence {
  killedAt: number; // milliseconds
  backAt?: number;
}

interface Stream {
  live: boolean;
  since: Date;
}

/** The first connection after the kill ends it: later ones come and go for other reasons. */
export const endedBy = (absence: Absence, { live, since }: Stream): Absence =>
  absence.backAt === undefined && live && since.getTime() >= absence.killedAt ? { ...absence, backAt: since.getTime() } : absence;

export function absenceWords({ killedAt, backAt }: Absence, { live, since }: Stream): string {
  if (backAt !== undefined) return `The server was away for ${((backAt - killedAt) / 1000).toFixed(1)} s.`;
  return !live && since.getTime() >= killedAt ? "The server is away. This page waits for it." : "";
}
