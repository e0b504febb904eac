// graphile-worker as a durable intake alone, and grammY with graphile-worker as a whole bot.
//     node graphile.mjs intake | bot | bot-tuned
// The bot's job has no checkpoints, and its chats no order: a retry asks the model and replies again.
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { allowed, askModel, makeHistory, pool, readHistory, save, secret, serve, webhook, world } from './common.mjs';

const mode = process.argv[2];
const logger = new Logger(() => () => {});
const utils = await makeWorkerUtils({ pgPool: pool, logger });
await utils.migrate();

// Telegram may bring an update twice: one job for it.
const enqueue = (update) => utils.addJob('turn', update, {
  jobKey: `update-${update.update_id}`, jobKeyMode: 'unsafe_dedupe', maxAttempts: 5,
});

if (mode === 'intake') {
  serve(webhook(enqueue));
} else {
  const { Bot, webhookCallback } = await import('grammy');
  await makeHistory();
  const bot = new Bot('4242:bench', {
    client: { apiRoot: world },
    botInfo: {
      id: 4242, is_bot: true, first_name: 'Bench', username: 'bench_bot', can_join_groups: true,
      can_read_all_group_messages: false, supports_inline_queries: false, can_connect_to_business: false,
      has_main_web_app: false,
    },
  });
  bot.on('message:text', async (context) => {
    if (allowed.has(context.from.id)) await enqueue(context.update);
  });
  const turn = async (update) => {
    const { chat, text } = update.message;
    const reply = await askModel(await readHistory(chat.id), text);
    await bot.api.sendMessage(chat.id, reply);
    await save(chat.id, text, reply);
  };
  const worker = mode === 'bot-tuned'
    ? { concurrentJobs: 50, maxPoolSize: 10, localQueue: { size: 200 }, completeJobBatchDelay: 0 }
    : { concurrentJobs: 24, maxPoolSize: 10 };
  await run({
    connectionString: process.env.DATABASE, preset: { worker }, noHandleSignals: true, logger, taskList: { turn },
  });
  const answer = webhookCallback(bot, 'http', { secretToken: secret });
  serve((request, response) => answer(request, response).catch((error) => {
    console.error(error);
    response.statusCode = 500;
    response.end();
  }));
}
