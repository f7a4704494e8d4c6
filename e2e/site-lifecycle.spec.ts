import { ARABIC_PHONE, expect, expectAccessible, open, test, waitForPage } from "./fixtures";

test.describe("on a phone, in Arabic and dark", () => {
  test.use(ARABIC_PHONE);

  test("an owner changes, suspends, activates and deletes a site, and an agent only reads theirs", {
    tag: "@main",
  }, async ({ page, server, signIn, t }) => {
    const email = "customer@example.com";
    const domain = "life.example.com";
    // Parallel tests use the demo's sites.
    const [site] = await server.sql<{ id: number }>(
      `insert into sites (user_id, subscription_id, name, search_text, domain, api_key_hash, api_key_sealed, api_key_last_four)
         select s.user_id, s.subscription_id, 'Kısa Ömür', 'kisa omur ${domain}', '${domain}', sha256('${domain}'),
                s.api_key_sealed, s.api_key_last_four
           from sites s where s.domain = 'kayakahve.example.com' returning id`,
    );
    await signIn(page, email);

    await open(page, `/sites/${site!.id}?tab=install`);
    const sendLink = page.getByRole("link", { name: t("sites.embed.send"), exact: true });
    const mailtoUrl = new URL((await sendLink.getAttribute("href"))!);
    expect(mailtoUrl.protocol).toBe("mailto:");
    expect(mailtoUrl.searchParams.get("subject")).toBe(t("sites.embed.mailSubject", { domain }));
    expect(mailtoUrl.searchParams.get("body"), "the mail contains the script tag").toContain(
      await page.getByText(/^<script src="https:\/\/cdn\.example\.com\/widget\.js" data-key=/).textContent(),
    );

    await open(page, `/sites/${site!.id}?tab=widget`);
    await page.getByLabel(t("sites.form.botName")).fill("Deniz");
    const changesBar = page.getByRole("status").filter({ hasText: t("ui.form.changes.count", { count: 1 }) });
    await expect(changesBar).toBeVisible();
    await expect(page.getByRole("region", { name: t("sites.preview.title") })).toContainText("Deniz");
    await expectAccessible(page);
    await page.getByRole("tab", { name: t("sites.tabs.ai") }).click();
    await page.getByRole("tab", { name: t("sites.tabs.widget") }).click();
    await expect(page.getByLabel(t("sites.form.botName")), "typed text survives a change of tab").toHaveValue(
      "Deniz",
    );
    await page.keyboard.press("Control+s");
    await expect(page.getByText(t("responses.site_saved"))).toBeVisible();
    await expect(changesBar).toHaveCount(0);

    await page.getByRole("tab", { name: t("sites.tabs.danger") }).click();
    await page.getByRole("button", { name: t("sites.suspension.suspend"), exact: true }).click();
    const confirmDialog = page.getByRole("alertdialog");
    await confirmDialog.getByRole("button", { name: t("sites.suspension.suspend"), exact: true }).click();
    await expect(page.getByText(t("sites.detail.suspended"))).toBeVisible();
    await server.sql(`update sites set subscription_id = null where id = ${site!.id}`);
    await open(page, `/sites/${site!.id}`);
    await expect(page.getByRole("main").getByText(t("sites.billing.none"), { exact: true })).toBeVisible();
    await page.getByRole("tab", { name: t("sites.tabs.danger") }).click();
    await page.getByRole("button", { name: t("sites.suspension.activate"), exact: true }).click();
    await expect(page.getByText(t("sites.detail.suspended"))).toHaveCount(0);

    await page.getByRole("button", { name: t("sites.deletion.title"), exact: true }).click();
    const dialog = page.getByRole("dialog", { name: t("sites.deletion.title") });
    await expect(dialog.getByText(t("sites.deletion.content"))).toBeVisible();
    const domainField = dialog.getByRole("textbox");
    const confirmButton = dialog.getByRole("button", { name: t("sites.deletion.confirm"), exact: true });
    await domainField.fill("kayakahve.example.com");
    await confirmButton.click();
    await expect(dialog.getByRole("alert")).toContainText(t("validation.domain_confirmed"));
    await domainField.fill(domain.toUpperCase());
    await confirmButton.click();
    await expect(page.getByText(t("responses.site_deleted"))).toBeVisible();
    await waitForPage(page, /\/sites$/);
    await open(page, `/sites/${site!.id}`);
    await expect(page.getByRole("heading", { name: t("sites.missing.title") })).toBeVisible();

    const [agentSite] = await server.sql<{ id: number }>(
      "select id from sites where domain = 'kayakahve.example.com'",
    );
    await signIn(page, "agent@example.com");
    await open(page, `/sites/${agentSite!.id}?tab=widget`);
    await expect(page.getByText("Ayşe Kaya").first()).toBeVisible();
    await expect(page.getByRole("tab", { name: t("sites.tabs.danger") })).toHaveCount(0);
    await expect(page.getByLabel(t("sites.form.botName"))).toHaveCount(0);
  });
});

/** Inserts a site suspended because its plan ended, for an account without a free slot. */
const INSERT_UNPAID_SITE = `
  insert into sites (user_id, is_active, suspended_reason, name, search_text, domain, api_key_hash, api_key_sealed,
                     api_key_last_four)
  select u.id, false, 'subscription_ended', 'Kapalı Dükkân', 'kapali dukkan', u.id || '.ended.example.com',
         sha256(u.email::bytea), s.api_key_sealed, s.api_key_last_four
    from users u join sites s on s.domain = 'kayakahve.example.com' where u.email = $1 returning id`;

test("activating an unpaid site offers a licence to a reseller and plans to a customer", async ({
  page,
  server,
  signIn,
  t,
}) => {
  const [resellerSite] = await server.sql<{ id: number }>(INSERT_UNPAID_SITE, ["reseller@example.com"]);
  await signIn(page, "reseller@example.com");
  await open(page, `/sites/${resellerSite!.id}?tab=danger`);
  const activateButton = page.getByRole("button", { name: t("sites.suspension.activate"), exact: true });
  await expect(page.getByText(t("sites.suspended.subscription_ended")).first()).toBeVisible();
  await activateButton.click();
  const licenceDialog = page.getByRole("dialog", { name: t("sites.refusal.licence") });
  await expect(licenceDialog).toBeVisible();
  await expectAccessible(page);
  const confirmButton = licenceDialog.getByRole("button", {
    name: t("sites.suspension.activate"),
    exact: true,
  });
  await confirmButton.click();
  await expect(licenceDialog.getByText(t("sites.forecast.confirmFirst"))).toBeVisible();
  await licenceDialog.getByRole("checkbox").check();
  await confirmButton.click();
  await expect(page.getByText(t("sites.detail.suspended"))).toHaveCount(0);

  const [customerSite] = await server.sql<{ id: number }>(INSERT_UNPAID_SITE, ["full@example.com"]);
  await signIn(page, "full@example.com");
  await open(page, `/sites/${customerSite!.id}?tab=danger`);
  await activateButton.click();
  const plansDialog = page.getByRole("dialog", { name: t("sites.refusal.title") });
  await expect(plansDialog.getByText(t("sites.forecast.upgrade"), { exact: true })).toBeVisible();
  await expect(
    plansDialog.getByRole("link", { name: `${t("sites.plans.choose")}: Pro`, exact: true }),
  ).toBeVisible();
  await expectAccessible(page);
  await plansDialog.getByRole("button", { name: t("sites.new.cancel"), exact: true }).click();
  await expect(page.getByText(t("sites.detail.suspended"))).toBeVisible();
});

test("a reseller gets the code for a customer's new site, and later learns where the owner finds it", async ({
  page,
  server,
  context,
  signIn,
  t,
}) => {
  const [customer] = await server.sql<{ id: number }>(
    "select id from users where email = 'customer2@example.com'",
  );
  await signIn(page, "reseller@example.com");
  await open(page, `/sites/new?customer_id=${customer!.id}`);
  await page.getByLabel(t("sites.form.name"), { exact: true }).fill("Şahin Şube");
  await page.getByLabel(t("sites.form.domain"), { exact: true }).fill("sube.example.com");
  await page.getByRole("checkbox", { name: /₺3\.999/ }).check();
  await page.getByRole("button", { name: t("sites.new.submit"), exact: true }).click();
  await waitForPage(page, /\/sites\/\d+\?created=1$/);
  await expect(page.getByText(/data-key="dsk_\w{20,}"/).first()).toBeVisible();
  await expect(page.getByRole("link", { name: t("sites.created.next.connect") })).toHaveCount(0);
  await expectAccessible(page);

  const otherTab = await context.newPage();
  await open(otherTab, page.url());
  await expect(otherTab.getByText(t("sites.created.codeOfOwner"))).toBeVisible();
});
