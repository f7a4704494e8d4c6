import { readFile } from "node:fs/promises";
import { ARABIC_PHONE, expect, expectAccessible, open, test } from "./fixtures";

const WEBHOOKS = "/developers/webhooks";

test("a chart is read by keyboard and pointer, compared, shown as a table and saved as CSV", {
  tag: "@main",
}, async ({ page, signIn, t }) => {
  await signIn(page, "customer@example.com");
  await open(page, `${WEBHOOKS}?period=30d`);
  const card = page.getByRole("region").filter({ hasText: t("charts.webhooks.question") });
  const reader = card.getByRole("slider", { name: t("charts.webhooks.question") });
  await expect(reader).toHaveAttribute("aria-valuenow", "30");
  await reader.focus();
  await page.keyboard.press("Home");
  await expect(reader).toHaveAttribute("aria-valuenow", "1");
  await page.keyboard.press("ArrowRight");
  await expect(reader).toHaveAttribute("aria-valuenow", "2");
  await expect(reader).toHaveAttribute(
    "aria-valuetext",
    RegExp(`; ${t("charts.webhooks.delivered")}: \\d+; `),
  );
  await page.keyboard.press("End");
  await expect(reader).toHaveAttribute("aria-valuenow", "30");
  await page.keyboard.press("Escape");

  const box = (await reader.boundingBox())!;
  await page.mouse.move(box.x + box.width - 5, box.y + 40);
  await expect(reader).toHaveAttribute("aria-valuenow", "30");
  await page.mouse.move(box.x + box.width / 2, box.y + 40);
  await expect(reader).toHaveAttribute("aria-valuenow", /^1[3-7]$/);

  await card.getByText(t("charts.table")).click();
  const table = card.getByRole("table");
  await expect(table.getByRole("row")).toHaveCount(31);
  const delivered = (await table.locator("tbody td:nth-child(2)").allTextContents()).map(Number);
  const total = delivered.reduce((sum, value) => sum + value, 0);
  expect(total).toBeGreaterThan(0);
  await expect(card.getByRole("listitem").filter({ hasText: t("charts.webhooks.delivered") })).toContainText(
    String(total),
  );
  const downloadEvent = page.waitForEvent("download");
  await card.getByRole("button", { name: t("charts.download") }).click();
  const lines = (await readFile(await (await downloadEvent).path(), "utf8")).trim().split("\r\n");
  expect(lines).toHaveLength(31);
  expect(lines[0]).toContain(`"${t("charts.interval.day")}";"${t("charts.webhooks.delivered")}"`);
  expect(lines.slice(1).map((line) => Number(line.split(";")[1]!.replaceAll('"', "")))).toEqual(delivered);

  const picker = page.getByRole("navigation", { name: t("charts.period.label") });
  await picker.getByRole("link", { name: t("charts.period.7d"), exact: true }).click();
  await expect(page).toHaveURL(/period=7d/);
  await expect(reader).toHaveAttribute("aria-valuemax", "7");
  await picker.getByRole("link", { name: t("charts.compare") }).click();
  await expect(page).toHaveURL(/compare=none/);
  await expect(page).toHaveURL(/period=7d/);
  await expectAccessible(page);
});

test.describe("in Arabic on a phone", () => {
  test.use(ARABIC_PHONE);
  test("time runs to the left", { tag: "@main" }, async ({ page, signIn, t }) => {
    await signIn(page, "customer@example.com");
    await open(page, `${WEBHOOKS}?period=7d`);
    const reader = page.getByRole("slider", { name: t("charts.webhooks.question") });
    await reader.focus();
    await page.keyboard.press("ArrowRight");
    await expect(reader).toHaveAttribute("aria-valuenow", "6");
    await page.keyboard.press("ArrowLeft");
    await expect(reader).toHaveAttribute("aria-valuenow", "7");
    await expectAccessible(page);
  });
});
