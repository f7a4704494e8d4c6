import { CODE } from "./contract/mail";
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
}, async ({ page, mailed, request, origin, member, signIn, t }) => {
  await signIn(page, member.email, member.password);
  await open(page, "/settings/privacy");

  await page.getByRole("button", { name: t("deletion.start") }).click();
  const dialog = page.getByRole("dialog", { name: t("deletion.dialog") });
  const confirm = dialog.getByRole("button", { name: t("deletion.confirm") });
  const word = dialog.getByRole("textbox");
  await word.fill("HAYIR");
  await confirm.click();
  await expectInvalid(word);
  await dialog.getByRole("button", { name: t("deletion.byMail") }).click();
  await dialog.getByRole("button", { name: t("deletion.send"), exact: true }).click();
  const { found: mailedCode, locale } = await mailed(member.email, CODE);
  expect(locale).toBe("tr");
  const code = dialog.getByLabel(t("deletion.code"), { exact: true });
  await code.fill(mailedCode === "000000" ? "111111" : "000000");
  await confirm.click();
  await expectInvalid(code);
  await code.fill(mailedCode);
  await confirm.click();

  await waitForPage(page, /\/certificates\/\w{26}\?code=/);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const certificate = new URL(page.url());
  await open(page, "/dashboard");
  await expect(page).toHaveURL(/\/sign-in/);
  const login = await request.post(`${origin}/api/auth/login`, {
    data: { email: member.email, password: member.password },
  });
  expect(login.status()).toBe(401);

  await open(page, certificate.pathname);
  const codeField = page.getByLabel(t("deletion.certificate.askCode"), { exact: true });
  const show = page.getByRole("button", { name: t("deletion.certificate.ask") });
  await codeField.fill("wrong");
  await show.click();
  const error = page.getByRole("alert").filter({ hasText: t("deletion.certificate.wrong") });
  await expect(error).toBeVisible();
  await codeField.fill(certificate.searchParams.get("code") ?? "");
  await show.click();
  await expect(page.getByText(certificate.pathname.split("/").at(-1)!, { exact: true })).toBeVisible();
});
