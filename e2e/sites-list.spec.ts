import { expect, expectAccessible, expectNoSidewaysScroll, open, test } from "./fixtures";

test("sites are searched, filtered by owner and exported, and the URL keeps the view", {
  tag: "@main",
}, async ({ page, signIn }) => {
  await signIn(page, "admin@example.com");
  await open(page, "/sites");
  const rows = page.getByRole("row").filter({ has: page.getByRole("cell") });
  await expect(rows.first()).toBeVisible();

  const search = page.getByRole("searchbox");
  await search.fill("KAYA toptan");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("Kaya Toptan");
  await expect(page).toHaveURL(/q=KAYA/);
  await open(page, page.url());
  await expect(search).toHaveValue("KAYA toptan");
  await expect(rows).toHaveCount(1);

  await search.fill("no-such-site");
  await expect(rows).toHaveCount(0);
  await page
    .getByRole("button")
    .filter({ hasText: /Filtreleri temizle|مسح عوامل/ })
    .click();
  await expect(rows.nth(1)).toBeVisible();

  const rowCount = await rows.count();
  const ownerButton = rows.first().getByRole("button").first();
  await ownerButton.click();
  await expect(page).toHaveURL(/user_id=\d+/);
  const filterChips = page.getByRole("list", { name: /^(Filtreler|عوامل التصفية)$/ });
  await expectAccessible(page);
  await filterChips.getByRole("button").first().click();
  await expect(filterChips).toHaveCount(0);
  await expect(rows).toHaveCount(rowCount);

  const downloadEvent = page.waitForEvent("download");
  await page.getByRole("link", { name: /CSV/ }).click();
  const download = await downloadEvent;
  expect(download.suggestedFilename()).toBe("sites.csv");
  expect(await download.failure()).toBeNull();
});

test("the breadcrumb shows the site and its open tab, and navigates back", async ({ page, signIn }) => {
  await signIn(page, "customer@example.com");
  await open(page, "/sites");
  await page.getByRole("link", { name: "Kaya Kahve" }).click();
  const breadcrumb = page.getByRole("banner").getByRole("listitem");
  await expect(breadcrumb.last()).toHaveText("Kaya Kahve");
  await page.getByRole("tab").nth(1).click();
  const tabTitle = (await page.getByRole("tab").nth(1).textContent()) ?? "";
  await expect(breadcrumb.last()).toHaveText(tabTitle);
  await breadcrumb.filter({ hasText: "Kaya Kahve" }).getByRole("link").click();
  await expect(page).not.toHaveURL(/tab=/);
  await expect(breadcrumb.last()).toHaveText("Kaya Kahve");
  await breadcrumb.first().getByRole("link").click();
  await expect(page).toHaveURL(/\/sites$/);
});

test("a failed request shows an error instead of an empty list, and can be retried", async ({
  page,
  signIn,
}) => {
  await signIn(page, "customer@example.com");
  await open(page, "/sites");
  const rows = page.getByRole("row").filter({ has: page.getByRole("cell") });
  await expect(rows.first()).toBeVisible();
  await page.route("**/trpc/sites.list**", (route) =>
    route.fulfill({ status: 404, contentType: "text/plain", body: "not found" }),
  );
  await page.getByRole("columnheader").getByRole("button").first().click();
  const errorAlert = page.getByRole("alert").filter({ has: page.getByRole("button") });
  await expect(errorAlert).toBeVisible();
  await page.unroute("**/trpc/sites.list**");
  await errorAlert.getByRole("button").click();
  await expect(rows.first()).toBeVisible();
  await expect(errorAlert).toHaveCount(0);
});

test("bars do not cover a page at 400 % zoom", async ({ page, signIn }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await signIn(page, "customer@example.com");
  await open(page, "/sites/new");
  await page.mouse.wheel(0, 600);
  await expect(page.getByRole("banner")).not.toBeInViewport();
  await expectNoSidewaysScroll(page);
});
