import { ARABIC, expect, expectAccessible, expectPage, open, test, waitForPage } from "./fixtures";

test.use(ARABIC);

test("a channel is connected, becomes idle when its site is suspended, and is cleaned up with a receipt", {
  tag: "@main",
}, async ({ page, server, signIn, member, t }) => {
  const botId = String(Date.now()).slice(-10);
  const name = `@sandbox_${botId}_bot`;
  const domain = `idle-${botId}.example.com`;
  const [site] = await server.sql<{ id: number }>(
    `insert into sites (user_id, name, search_text, domain, api_key_hash, api_key_sealed, api_key_last_four)
         select u.id, 'Boş Duran', 'bos duran ${domain}', '${domain}', sha256('${domain}'), s.api_key_sealed,
                s.api_key_last_four
           from sites s, users u
          where s.domain = 'kayakahve.example.com' and u.email = '${member.email}' returning id`,
  );
  await signIn(page, member.email, member.password);
  await open(page, "/connections");
  await expect(page.getByText(t("connections.empty.title"))).toBeVisible();

  await page.getByRole("link", { name: t("connections.connect.open"), exact: true }).click();
  await page.getByRole("link", { name: t("connections.channel.telegram") }).click();
  await page.getByLabel(t("connections.field.bot_token"), { exact: true }).fill(`${botId}:${"t".repeat(35)}`);
  await expect(page.getByRole("checkbox", { name: "Boş Duran" })).toBeChecked();
  await page.getByRole("button", { name: t("connections.connect.submit"), exact: true }).click();
  await waitForPage(page, /\/connections\/new\?connected=\d+$/);
  await page.getByRole("link", { name: t("channels.ready.list"), exact: true }).click();
  await expect(page.getByRole("cell", { name, exact: true })).toBeVisible();
  await expect(page.getByRole("cell", { name: t("connections.state.inUse"), exact: true })).toBeVisible();

  await open(page, `/sites/${site!.id}?tab=danger`);
  await page.getByRole("button", { name: t("sites.suspension.suspend"), exact: true }).click();
  const confirmDialog = page.getByRole("alertdialog");
  await confirmDialog.getByRole("button", { name: t("sites.suspension.suspend"), exact: true }).click();
  await expect(page.getByText(t("sites.detail.suspended"))).toBeVisible();

  await open(page, "/connections");
  await page.getByRole("link", { name: t("connections.openIdle") }).click();
  await expectPage(page, /\/connections\/idle/);
  await expect(page.getByText(t("connections.reason.sites_inactive"))).toBeVisible();
  await page.getByRole("checkbox", { name: t("connections.idle.choose", { name }) }).check();
  await page.getByRole("button", { name: t("connections.idle.preview", { count: 1 }) }).click();
  await expect(page.getByText(t("connections.plan.hook.ours"))).toBeVisible();
  await expectAccessible(page);
  const startButton = page.getByRole("button", { name: t("connections.plan.start"), exact: true });
  await expect(startButton).toBeDisabled();
  await page.getByLabel(t("connections.plan.type", { count: 1 })).fill("1");
  await startButton.click();
  await expect(page.getByText(t("connections.result.ok"), { exact: true })).toBeVisible();

  await page.getByRole("link", { name: t("connections.result.receipt") }).click();
  await expectPage(page, /\/connections\/cleanups\//);
  await expect(page.getByText(/bot\{token\}\/deleteWebhook/)).toBeVisible();
  await expectAccessible(page);
});
