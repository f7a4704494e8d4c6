import { CODE_PATTERN } from "./contract/mail";
import {
  expect,
  expectAccessible,
  expectInvalid,
  expectNoSidewaysScroll,
  open,
  test,
  waitForPage,
} from "./fixtures";

test("an account is deleted with a mailed code, and its certificate can be verified", {
  tag: "@main",
}, async ({ page, waitForMail, request, origin, member, signIn, t }) => {
  await signIn(page, member.email, member.password);
  await open(page, "/settings/privacy");

  await page.getByRole("button", { name: t("deletion.start") }).click();
  const dialog = page.getByRole("dialog", { name: t("deletion.dialog") });
  const confirmButton = dialog.getByRole("button", { name: t("deletion.confirm") });
  const wordField = dialog.getByRole("textbox");
  await wordField.fill("HAYIR");
  await confirmButton.click();
  await expectInvalid(wordField);
  await dialog.getByRole("button", { name: t("deletion.byMail") }).click();
  await dialog.getByRole("button", { name: t("deletion.send"), exact: true }).click();
  const { match: mailedCode, locale } = await waitForMail(member.email, CODE_PATTERN);
  expect(locale).toBe("tr");
  const mailedCodeField = dialog.getByLabel(t("deletion.code"), { exact: true });
  await mailedCodeField.fill(mailedCode === "000000" ? "111111" : "000000");
  await confirmButton.click();
  await expectInvalid(mailedCodeField);
  await mailedCodeField.fill(mailedCode);
  await confirmButton.click();

  await waitForPage(page, /\/certificates\/\w{26}\?code=/);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const certificateUrl = new URL(page.url());
  await expect(page.getByRole("img", { name: t("deletion.certificate.qr") })).toBeVisible();
  await open(page, "/dashboard");
  await expect(page).toHaveURL(/\/sign-in/);
  const login = await request.post(`${origin}/api/auth/login`, {
    data: { email: member.email, password: member.password },
  });
  expect(login.status()).toBe(401);

  await open(page, certificateUrl.pathname);
  const certificateCodeField = page.getByLabel(t("deletion.certificate.askCode"), { exact: true });
  const showButton = page.getByRole("button", { name: t("deletion.certificate.ask") });
  await certificateCodeField.fill("wrong");
  await showButton.click();
  const error = page.getByRole("alert").filter({ hasText: t("deletion.certificate.wrong") });
  await expect(error).toBeVisible();
  await certificateCodeField.fill(certificateUrl.searchParams.get("code") ?? "");
  await showButton.click();
  await expect(page.getByText(certificateUrl.pathname.split("/").at(-1)!, { exact: true })).toBeVisible();
});

test("the forecast names each kind of data once, in the future tense", async ({ page, signIn, t }) => {
  await signIn(page, "full@example.com");
  await open(page, "/settings/privacy");
  const rows = page
    .getByRole("heading", { name: t("deletion.what") })
    .locator("xpath=following-sibling::ul[1]/li");
  await expect(rows.filter({ hasText: t("deletion.topics.profile") })).toContainText(
    t("deletion.rules.anonymise"),
  );
  await expect(rows.filter({ hasText: t("deletion.topics.sign_ins") })).toContainText(
    t("deletion.rules.delete"),
  );
  const names = await rows.locator("p:first-child").allInnerTexts();
  expect(names.length).toBeGreaterThan(5);
  expect(new Set(names).size).toBe(names.length);
});
