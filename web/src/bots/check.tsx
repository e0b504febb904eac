// What Telegram says of the bot just now, in plain words, and the bot's webhook.
import { useIsFetching, useMutation, useQueryClient } from "@tanstack/react-query";

import { useRefusal } from "../api/me";
import { wordsOf } from "../api/problem";
import { ActButton } from "../ui/act-button";
import { Button } from "../ui/button";
import { plural } from "../ui/numbers";
import { Facts, Panel } from "../ui/page";
import { State } from "../ui/state";
import { Time } from "../ui/time";
import { minuteText, useZone } from "../ui/zone";
import { type Bot, type BotCheck, checkBot, deleteWebhook, setWebhook } from "./queries";

interface Known {
  webhook: Bot["webhook"];
  at: number; // milliseconds
}

/** What Telegram said last. A check that got no answer about the webhook says nothing of it. */
export const newerOf = (listed: Known, checked: Known | undefined): Known => (checked?.webhook && checked.at >= listed.at ? checked : listed);

function AsOf({ at }: { at: number }) {
  const cache = useQueryClient();
  const zone = useZone();
  const isFetching = useIsFetching({ queryKey: ["bots"] }) > 0;
  return (
    <span className="row">
      {minuteText(new Date(at), zone)}
      <Button kind="plain" disabled={isFetching} onClick={() => void cache.invalidateQueries({ queryKey: ["bots"] })}>{isFetching ? "Reading…" : "Refresh"}</Button>
    </span>
  );
}

const states = { ok: "ok", warn: "warning", failed: "failed" };

function Findings({ check, bot }: { check: BotCheck; bot: string }) {
  const subject = (what: string) => (what.endsWith(` ${bot}`) ? what.slice(0, -bot.length - 1) : what);
  return (
    <>
      <p role="status" className="hidden-text">{plural(check.findings.length, "finding")}.</p>
      <ul className="findings">
        {check.findings.map(({ what, result, detail, advice }) => (
          <li key={what}>
            <State name={states[result]} words={subject(what)} />
            <span>{detail}{advice && <code> {advice}</code>}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** `readAt`: when the list of bots was read. It is read again and again, the check only when somebody asks. */
export function Connection({ bot, readAt }: { bot: Bot; readAt: number }) {
  const cache = useQueryClient();
  const refusal = useRefusal();
  const check = useMutation({
    mutationFn: async () => ({ ...(await checkBot(bot.name)), at: Date.now() }),
    onSettled: () => cache.invalidateQueries({ queryKey: ["bots"] }),
  });
  const { webhook, at } = newerOf({ webhook: bot.webhook, at: readAt }, check.data && { webhook: check.data.webhook, at: check.data.at });
  const polls = bot.mode === "polling";
  const act = (change: () => Promise<unknown>) => async () => {
    await change();
    await check.mutateAsync().catch(() => undefined); // the panel says so: the change itself is done
  };
  return (
    <Panel title="Connection to Telegram" aside={<Button kind="main" refusal={refusal} disabled={check.isPending} title="Asks Telegram now." onClick={() => check.mutate()}>{check.isPending ? "Asking…" : "Check now"}</Button>}>
      {check.error && <p role="alert" className="bad">{wordsOf(check.error)}</p>}
      {check.data ? <Findings check={check.data} bot={bot.name} /> : <p className="soft">The check asks Telegram whose the token is, and whether updates arrive.</p>}
      <Facts
        all={[
          ["Updates by", bot.mode],
          ["Webhook", webhook?.url ?? (webhook ? "none is set" : null)],
          ["It should be", check.data?.wanted_url ?? null],
          ["Wait at Telegram", webhook ? plural(webhook.pending, "update") : null],
          ["Last error", webhook?.last_error && <>{webhook.last_error}, <Time at={webhook.last_error_at} age /></>],
          ["As of", <AsOf at={at} />],
          ["Reads all of a group", bot.reads_all_group_messages === null ? null : bot.reads_all_group_messages ? "yes" : "no"],
        ]}
      />
      {bot.configured && (
        <div className="row">
          <ActButton act={act(() => setWebhook(bot.name))} changes={["bots"]} says={polls ? "The server polls. A webhook needs a public URL." : "Tells Telegram this server's address and secret again."} done="The webhook is set.">Set webhook</ActButton>
          <ActButton
            danger
            act={act(() => deleteWebhook(bot.name))}
            changes={["bots"]}
            says={`Delete the webhook of ${bot.name}?`}
            done="The webhook is deleted."
            ask={<p className="soft">{polls ? "This server polls for updates. Another server that uses the webhook gets none any more." : "No updates arrive until the webhook is set again: this server does it at its next start. Updates wait at Telegram until then."}</p>}
          >
            Delete webhook
          </ActButton>
        </div>
      )}
    </Panel>
  );
}
