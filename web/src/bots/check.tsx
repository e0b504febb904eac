// What Telegram says of the bot just now, in plain words, and the bot's webhook.
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { useRefusal } from "../api/me";
import { wordsOf } from "../api/problem";
import { ActButton } from "../ui/act-button";
import { Button } from "../ui/button";
import { plural } from "../ui/numbers";
import { Facts, Panel } from "../ui/page";
import { State } from "../ui/state";
import { Time } from "../ui/time";
import { type Bot, type BotCheck, checkBot, deleteWebhook, setWebhook } from "./queries";

const states = { ok: "ok", warn: "warning", failed: "failed" };

function Findings({ check, bot }: { check: BotCheck; bot: string }) {
  const subject = (what: string) => (what.endsWith(` ${bot}`) ? what.slice(0, -bot.length - 1) : what);
  return (
    <div role="status">
      <ul className="findings">
        {check.findings.map(({ what, result, detail }) => (
          <li key={what}>
            <State name={states[result]} words={subject(what)} />
            <span>{detail}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function Connection({ bot }: { bot: Bot }) {
  const cache = useQueryClient();
  const refusal = useRefusal();
  const check = useMutation({
    mutationFn: () => checkBot(bot.name),
    onSettled: () => cache.invalidateQueries({ queryKey: ["bots"] }),
  });
  const webhook = check.data?.webhook ?? bot.webhook;
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
