// Operations that are no operation of a list: a replay, and the erasure of a person's words.
async function replay({ server, check, job }, page) {
  await page.goto(`${server.origin}/console/executions/${job}`);
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Replay", exact: true }).click();
  await dialog.getByText("It took the same steps as the record.").waitFor();
  check(true, "a replay tells whether it took the same steps");
}

async function erasure({ server, check }, page) {
  await page.goto(`${server.origin}/console/audit`);
  await page.getByRole("button", { name: "Erase a person's words" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Telegram id of the person").fill("4242");
  check((await dialog.getByRole("button", { name: "Erase", exact: true }).count()) === 0, "an erasure wants the id twice");
  await dialog.getByLabel("The same id again").fill("4242");
  await dialog.getByRole("button", { name: "Erase", exact: true }).click();
  await dialog.getByText("All pages are cleared.").waitFor();
  check(true, "an erasure goes through all pages");
}

export async function operations(world) {
  const { page } = await world.open();
  await replay(world, page);
  await erasure(world, page);
}
