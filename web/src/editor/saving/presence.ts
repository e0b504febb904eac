// Which editors are open in this browser: by its locks. A page that came by plain HTTP from another machine has none, so
// there the open editors answer each other.

export interface Presence {
  /** Others see the name until the signal. */
  hold: (name: string, signal: AbortSignal) => Promise<void>;
  held: () => Promise<ReadonlySet<string>>;
}

export const byLocks = (locks: LockManager): Presence => ({
  hold: (name, signal) =>
    new Promise((resolve) => {
      const over = new Promise<void>((end) => signal.addEventListener("abort", () => end()));
      const hold = () => {
        resolve();
        return over;
      };
      locks.request(name, hold).catch(() => resolve());
    }),
  held: async () => new Set(((await locks.query()).held ?? []).flatMap(({ name }) => (name === undefined ? [] : [name]))),
});

const CHANNEL = "postrider-editor";
const ANSWER_MS = 300;

/** A tab that the browser has frozen does not answer. */
export const byAnswers = (): Presence => ({
  async hold(name, signal) {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }: MessageEvent<{ name?: string }>) => data.name === undefined && channel.postMessage({ name });
    signal.addEventListener("abort", () => channel.close());
  },
  held: () =>
    new Promise((resolve) => {
      const names = new Set<string>();
      const channel = new BroadcastChannel(CHANNEL);
      channel.onmessage = ({ data }: MessageEvent<{ name?: string }>) => data.name !== undefined && names.add(data.name);
      channel.postMessage({});
      setTimeout(() => {
        channel.close();
        resolve(names);
      }, ANSWER_MS);
    }),
});

export function presence(): Presence {
  const locks = navigator.locks as LockManager | undefined;
  return locks ? byLocks(locks) : byAnswers();
}
