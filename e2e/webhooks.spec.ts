import { activatePlan, expect, open, test } from "./fixtures";

test("a webhook is added, tested, receives an event, rotates its secret, is paused and deleted", {
  tag: "@main",
}, async ({ page, server, member, signIn, t }) => {
  await signIn(page, member.email, member.password);
  await open(page, "/developers/webhooks");
  await expect(page.getByText(t("webhooks.empty.title"))).toBeVisible();
  await page.getByRole("button", { name: t("webhooks.create.open"), exact: true }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByRole("button", { name: t("webhooks.create.useSandbox") }).click();
  await expect(drawer.getByLabel(t("webhooks.field.url"), { exact: true })).toHaveValue(
    /\/dev\/sandbox\/webhook\//,
  );
  await drawer.getByRole("button", { name: t("webhooks.create.submit"), exact: true }).click();
  await expect(drawer.getByText(/^whsec_/)).toBeVisible();
  await drawer.getByLabel(t("ui.secret.stored")).check();
  await drawer.getByRole("button", { name: t("webhooks.create.next") }).click();
  await expect(page).toHaveURL(/\/developers\/webhooks\/\d+$/);
  const host = new URL(page.url()).host;
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(host);
  await expect(page.getByRole("banner").getByRole("listitem")).toHaveText([/^.+$/, host]);
  await expect(page.getByText(t("webhooks.never"), { exact: true })).toBeVisible();

  await page.getByRole("button", { name: t("webhooks.test.open"), exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: "204" })).toBeVisible();
  await expect(page.getByText(t("webhooks.never"), { exact: true })).toHaveCount(0);

  await activatePlan(server, member.token);
  const deliveriesPath = `/api${new URL(page.url()).pathname.replace("/developers", "")}/deliveries`;
  await expect
    .poll(async () => {
      const { body } = await server.call("GET", `${deliveriesPath}?type=subscription.activated`, {
        token: member.token,
      });
      return (body.data as Array<{ state: string }>)[0]?.state;
    })
    .toBe("delivered");
  await page.reload();
  const row = page.getByRole("row").filter({ hasText: "subscription.activated" });
  await expect(row.getByText(t("webhooks.deliveryState.delivered"), { exact: true })).toBeVisible();
  await row.getByRole("button", { name: /Starter/ }).click();
  const deliveryDialog = page.getByRole("dialog");
  await expect(deliveryDialog.getByText(/"type": "subscription.activated"/)).toBeVisible();
  await deliveryDialog.getByRole("button", { name: t("common.close") }).click();
  await expect(deliveryDialog).toHaveCount(0);

  await page.getByRole("button", { name: t("webhooks.secret.open"), exact: true }).click();
  const secretDialog = page.getByRole("dialog");
  await secretDialog.getByLabel(t("webhooks.secret.hour")).check();
  await secretDialog.getByRole("button", { name: t("webhooks.secret.open"), exact: true }).click();
  await expect(secretDialog.getByText(/^whsec_/)).toBeVisible();
  await secretDialog.getByLabel(t("ui.secret.stored")).check();
  await secretDialog.getByRole("button", { name: t("webhooks.secret.done") }).click();
  await expect(secretDialog).toHaveCount(0);

  await page.getByRole("button", { name: t("webhooks.pause"), exact: true }).click();
  await expect(page.getByText(t("webhooks.off.person"))).toBeVisible();
  await page.getByRole("button", { name: t("webhooks.resume"), exact: true }).click();
  await expect(page.getByText(t("webhooks.off.person"))).toHaveCount(0);

  await page.getByRole("button", { name: t("webhooks.delete.open"), exact: true }).click();
  await page.getByRole("button", { name: t("webhooks.delete.confirm"), exact: true }).click();
  await expect(page).toHaveURL(/\/developers\/webhooks$/);
  await expect(page.getByRole("link", { name: /\/webhook\/receiver$/ })).toHaveCount(0);
});
