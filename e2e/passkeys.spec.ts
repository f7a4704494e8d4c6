import { clearSession, expect, expectAccessible, open, test, waitForPage } from "./fixtures";
import { addVirtualAuthenticator } from "./virtual-authenticator";

test("a passkey is added, signs in by the button and by autofill, and is deleted", { tag: "@main" }, async ({
  page,
  member,
  submitSignInForm,
  t,
}) => {
  test.slow();
  await submitSignInForm(member, "/settings/security");
  await waitForPage(page, /\/settings\/security/);

  const firstDevice = await addVirtualAuthenticator(page);
  const card = page.getByRole("region", { name: t("passkeys.title") });
  const rows = card.getByRole("listitem");
  const addButton = card.getByRole("button", { name: t("passkeys.add") });
  await expect(page.getByText(t("security.safety.none"), { exact: true })).toBeVisible();
  await addButton.click();
  await expect(rows).toHaveCount(1);
  await expect(page.getByText(t("security.safety.passkey"), { exact: true })).toBeVisible();
  await expect(page.getByText(t("security.safety.none"), { exact: true })).toHaveCount(0);
  await addButton.click();
  await expect(page.getByText(t("auth.passkey.problem.known")).first()).toBeVisible();
  await expect(rows).toHaveCount(1);
  await rows.getByText(t("passkeys.rename")).click();
  const dialog = page.getByRole("dialog", { name: t("passkeys.renameTitle") });
  await dialog.getByLabel(t("passkeys.name"), { exact: true }).fill("Işıl'ın bilgisayarı");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: t("common.save") }).click();
  await expect(rows).toContainText("Işıl'ın bilgisayarı");
  await expect(dialog).toHaveCount(0);

  // Autofill of the e-mail field offers the passkey; the virtual device accepts without a click.
  await clearSession(page);
  await page.goto("/sign-in?next=%2Fsettings%2Fsecurity", { waitUntil: "commit" });
  await expect(page, "by autofill, without a click").toHaveURL(/\/settings\/security/);
  await firstDevice.remove();

  await clearSession(page);
  await open(page, "/sign-in?next=%2Fsettings%2Fsecurity");
  await expect(page.getByRole("button", { name: t("auth.passkey.use") })).toBeVisible();
  await submitSignInForm(member, "/settings/security");
  await waitForPage(page, /\/settings\/security/);
  const secondDevice = await addVirtualAuthenticator(page);
  await addButton.click();
  await expect(rows).toHaveCount(2);

  await rows.first().getByText(t("common.delete"), { exact: true }).click();
  const confirmDialog = page.getByRole("alertdialog");
  await expect(confirmDialog).toBeVisible();
  await confirmDialog.getByRole("button", { name: t("common.delete"), exact: true }).click();
  await expect(rows).toHaveCount(1);
  await secondDevice.remove();

  await open(page, "/dashboard");
  const step = page.getByRole("listitem").filter({ hasText: t("dashboard.checklist.safe") });
  await expect(step.getByText(t("dashboard.checklist.done"), { exact: true })).toBeVisible();
});

test("the passkey button is in the server's HTML and is removed in browsers without passkeys", async ({
  page,
  request,
  t,
}) => {
  const response = await request.get("/sign-in", { headers: { "accept-language": "tr" } });
  expect(await response.text(), "before any script").toContain(t("auth.passkey.use"));

  await page.addInitScript(() => Reflect.deleteProperty(window, "PublicKeyCredential"));
  await open(page, "/sign-in");
  await expect(page.getByRole("button", { name: t("auth.passkey.use") })).toHaveCount(0);
});
