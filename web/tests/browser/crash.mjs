// The server's process is killed during a run and started again.
import { flowOf, publish } from "./flows.mjs";
import { until } from "./server.mjs";
import { newChat, say } from "./world.mjs";

const slow = flowOf("slow", [["In", "chat"], ["Agent", "agent", { prompt: "{{ $json.text }}" }], ["Out", "telegram.send", { text: "{{ $json.text }}" }]]);
slow.nodes.push({ id: "model", name: "Model", type: "model", position: [240, 160], parameters: { model: "slow" } });
slow.connections.push({ from: "model", to: "n1", type: "ai_model" });

export async function crash({ server, model, open, check }) {
  await publish(server, slow);
  model.text = "It survived.";
  const { context, page } = await open();
  const list = await context.newPage();
  await newChat(page, server, "slow");
  const release = model.hold();
  const before = model.calls;
  await say(page, "will it survive?");
  await until(async () => model.calls > before, "the turn does not ask its model");
  await list.goto(`${server.origin}/console/jobs?flow=slow`);
  const row = list.locator("tbody tr").first();
  await row.getByText("running").waitFor();

  await server.kill();
  await page.getByText("stale since").first().waitFor();
  check((await list.locator("tbody tr").count()) > 0, "the list stays while the server is away");
  release();
  await server.start();
  for (const tab of [page, list]) await tab.getByText("live", { exact: true }).first().waitFor();
  check(true, "pages follow the server again after its crash");
  await page.locator(".line:not(.own) .text", { hasText: "It survived." }).waitFor();
  await row.getByText("completed").waitFor();
  check((await page.locator(".line:not(.own) .text", { hasText: "It survived." }).count()) === 1, "a turn that the crash cut off ends in view, and answers once");
}
