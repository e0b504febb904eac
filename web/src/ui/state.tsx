// States of jobs, effects and others: a dot in a colour, and always the word.

const tones: Record<string, string> = {
  available: "idle hollow", scheduled: "idle hollow", running: "busy beats", waiting: "warn hollow", retryable: "warn", completed: "good",
  degraded: "warn", failed: "bad", cancelled: "idle", paused: "calm hollow",
  planned: "idle hollow", started: "busy", done: "good", unknown: "bad", approved: "good", rejected: "bad", expired: "idle", withdrawn: "idle",
  active: "good", ready: "good", up: "good", ok: "good", down: "bad", stopped: "bad", open: "bad", lost: "bad", idle: "idle hollow",
  retry: "warn", draining: "warn", warning: "warn", error: "bad",
};

export function State({ name, words }: { name: string; words?: string }) {
  const [tone = "idle", ...others] = (tones[name] ?? "idle").split(" ");
  return <span className={`state tone-${tone} ${others.join(" ")}`}>{words ?? name}</span>;
}

export const toneOf = (name: string): string => `tone-${(tones[name] ?? "idle").split(" ")[0]}`;
