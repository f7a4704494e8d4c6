import { expect, open, test } from "./fixtures";

/** Uncompressed size. */
const MAX_PAGE_BYTES = 300_000;

test("a visitor finds an operation, reads it and copies its call", { tag: "@main" }, async ({
  page,
  context,
  t,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, "/docs");
  await page.getByRole("searchbox", { name: t("docs.search") }).fill("get /api/sites/{id}");
  await page.waitForURL(/\?q=/);
  await page.getByRole("link", { name: /Get a site$/ }).click();
  await page.waitForURL(/\/docs\/sites#getSite$/);
  const callExample = page.getByRole("figure").filter({ hasText: "curl" }).filter({ visible: true });
  await callExample.getByRole("button", { name: t("ui.copy.copy") }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/^curl .*\/api\/sites\/7/);

  await expect
    .poll(() => page.evaluate(() => CSS.highlights.get("code-string")?.size ?? 0))
    .toBeGreaterThan(0);
  const block = callExample.getByRole("code").filter({ visible: true });
  const wrapButton = callExample.getByRole("button", { name: t("docs.wrap") });
  await wrapButton.click();
  await expect(wrapButton).toHaveAttribute("aria-pressed", "true");
  await expect(block).toHaveCSS("white-space-collapse", "preserve");
  await expect(block).toHaveCSS("text-wrap-mode", "wrap");
});

test("an old link to an operation leads to its page", async ({ page }) => {
  await open(page, "/docs#getSite");
  await page.waitForURL(/\/docs\/sites#getSite$/);
});

test("pages of the reference stay small in every language, and open in the panel after sign-in", async ({
  page,
  request,
  origin,
  signIn,
  t,
}) => {
  for (const locale of ["tr", "ar", "ru"]) {
    const headers = { "accept-language": locale };
    const contents = await (await request.get(`${origin}/docs`, { headers })).text();
    expect(contents).toContain(`<html lang="${locale}"`);
    const chapters = new Set(
      [...contents.matchAll(/href="(\/docs\/[a-z0-9/-]+)"/g)].map(([, path]) => path!),
    );
    expect(chapters.size).toBeGreaterThan(10);
    for (const path of ["/docs", ...chapters]) {
      const body = await (await request.get(origin + path, { headers })).body();
      expect(body.length, `${path} in ${locale}`).toBeLessThan(MAX_PAGE_BYTES);
    }
  }
  await signIn(page, "customer@example.com");
  await open(page, "/developers/docs");
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(4000);
  await expect(page.getByRole("link", { name: "Payments" }), "an administrator's topic").toHaveCount(0);
  expect(await (await page.request.get(`${origin}/docs/names`)).text()).not.toContain("/api/admin/");
  const search = page.getByRole("searchbox", { name: t("docs.search") });
  const results = page.getByRole("main").locator(".doc-list").getByRole("link");
  await search.fill("create site");
  await page.waitForURL(/\?q=create/);
  await expect(results.first()).toHaveText(/^POST\/api\/sites/);
  await expect(results.filter({ hasText: "/api/admin/" })).toHaveCount(0);
  await search.fill("get /api/sites");
  await page.waitForURL(/\?q=get/);
  await results.filter({ hasText: /Get a site$/ }).click();
  await page.waitForURL(/\/developers\/docs\/sites#getSite$/);
  await open(page, "/developers/docs/sites#listSites");
  const operation = page.locator("details", { has: page.locator("#listSites") });
  await expect(operation.locator("tr", { hasText: "per_page" }).locator("p")).not.toBeEmpty();
  expect((await operation.locator("table, p").allInnerTexts()).join()).not.toContain("`");
  await expect(page.getByRole("navigation", { name: t("shell.menu") })).toBeVisible();
});
