// How a person or a group is let in: who may write to a bot stands in the configuration, and nowhere else. Pure.
import type { Schema } from "../api/client";

type Setting = Pick<Schema["Setting"], "key" | "value" | "source" | "source_kind" | "environment">;
type Stranger = Pick<Schema["Stranger"], "bot" | "admitted_by">;

export interface Admission {
  /** It is in the setting already. */
  isIn: boolean;
  /** Where the line belongs, in words. */
  where: string;
  line: string;
}

const idsIn = (value: string | null | undefined): string[] => value?.match(/-?[0-9]+/g) ?? [];

/** `POSTRIDER_ALLOWED_USERS=1,2`, or `allowed_users = [1, 2]` in the bot's part of the file. */
export function admissionOf({ bot, admitted_by: { setting, id } }: Stranger, settings: readonly Setting[]): Admission {
  const known = settings.find(({ key }) => key === setting);
  const ids = idsIn(known?.value);
  const isIn = ids.includes(String(id));
  const all = isIn ? ids : [...ids, String(id)];
  const variable = { environment: known?.source, flag: undefined, file: undefined, default: undefined }[known?.source_kind ?? "default"];
  if (variable) return { isIn, where: `the environment of the server, where ${variable} is set`, line: `${variable}=${all.join(",")}` };
  const line = `${setting.split(".").at(-1)} = [${all.join(", ")}]`;
  if (known?.source_kind === "file") return { isIn, where: `${known.source}, in place of the line that is there`, line };
  return { isIn, where: `postrider.toml, below [bots.${bot}]`, line };
}
