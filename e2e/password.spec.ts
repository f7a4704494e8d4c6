import { clearSession, expect, expectAccessible, open, test, toPath, waitForPage } from "./fixtures";

test("a mailed link sets a new password once and ends older sessions", { tag: "@main" }, async ({
  page,
  waitForMail,
  request,
  origin,
  member,
  t,
}) => {
  await open(page, "/sign-in");
  const emailField = page.getByLabel(t("auth.email"), { exact: true });
  await expect(emailField, "typing can begin").toBeFocused();
  await emailField.fill(member.email);
  await page.getByRole("link", { name: t("auth.signIn.forgot") }).click();
  await expect(page).toHaveURL(/\/forgot-password/);
  await expect(emailField, "the typed address is carried over").toHaveValue(member.email);
  await page.goBack();
  await waitForPage(page, /\/sign-in/);
  await expect(emailField, "the typed address is kept").toHaveValue(member.email);
  await expect(page.getByLabel(t("auth.signIn.password"), { exact: true })).toBeFocused();
  await page.goForward();
  await waitForPage(page, /\/forgot-password/);
  await expect(emailField).toHaveValue(member.email);
  await page.getByRole("button", { name: t("auth.forgot.submit") }).click();
  await expect(page.getByRole("heading", { name: t("auth.forgot.sentTitle") })).toBeVisible();
  await expectAccessible(page);

  const link = toPath((await waitForMail(member.email, /https?:\S+\/reset-password\?\S+/)).match);
  // Mail scanners open links before the reader does.
  for (let scan = 0; scan < 3; scan++) await request.get(origin + link);
  const passwordField = page.getByLabel(t("auth.reset.password"), { exact: true });
  const submitButton = page.getByRole("button", { name: t("auth.reset.submit"), exact: true });
  await open(page, link);
  await expect(page, "the token leaves the address bar").toHaveURL(/\/reset-password$/);
  await expectAccessible(page);
  await passwordField.fill("yeni-ve-uzun-parola");
  await submitButton.click();
  await waitForPage(page, /\/dashboard/);
  expect(
    (
      await request.get(`${origin}/api/user`, { headers: { authorization: `Bearer ${member.token}` } })
    ).status(),
  ).toBe(401);

  await clearSession(page);
  await open(page, link);
  await expect(page.getByRole("heading", { name: t("auth.reset.deadTitle") }), "it works once").toBeVisible();
  await expect(page).not.toHaveURL(/\/dashboard/);
});
