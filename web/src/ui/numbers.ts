// Counts, tokens and money as people read them.

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

export const countText = (value: number | bigint): string => whole.format(value);
export const tokensText = (value: number | null | undefined): string => (value == null ? "–" : short.format(value));

/** From US cents, as the API has them: "$0.0042", "$1.20". */
export function costText(cents: number | null | undefined): string {
  if (cents == null) return "–";
  const dollars = cents / 100;
  if (dollars === 0) return "$0";
  return `$${dollars.toFixed(dollars < 0.01 ? 4 : dollars < 1 ? 3 : 2)}`;
}

export const plural = (count: number, noun: string): string => `${countText(count)} ${noun}${count === 1 ? "" : "s"}`;

/** Of a flow that ran: 0 is the draft of that moment, and none is not known. */
export const versionText = (version: number | null | undefined, trial: boolean): string =>
  [version == null ? "" : version === 0 ? "draft" : `v${version}`, trial && "trial"].filter(Boolean).join(" ");
