// A lane's page has what was said as turns, and pauses the lane.
export async function conversation({ server, open, check, lane }) {
  const { page } = await open();
  await page.goto(`${server.origin}/console/lanes/${encodeURIComponent(lane)}`);
  await page.locator(".said-line.user", { hasText: "what is 6*7?" }).waitFor();
  await page.locator(".said-line.assistant", { hasText: "delivered" }).first().waitFor();
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByRole("button", { name: "Resume", exact: true }).click();
  await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
  check(true, "a lane's page has its turns with their deliveries, and pauses and resumes the lane");
}
