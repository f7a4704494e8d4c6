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
});

test("an old link to an operation leads to the entry that links to the operation's page", async ({
  page,
}) => {
  await open(page, "/docs#getSite");
  await expect(page.locator(":target")).toHaveAttribute("href", "/docs/sites#getSite");
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
  await page.getByRole("link", { name: /Get a site$/ }).click();
  await page.waitForURL(/\/developers\/docs\/sites#getSite$/);
  await expect(page.getByRole("navigation", { name: t("shell.menu") })).toBeVisible();
});
