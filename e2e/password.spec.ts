import { expect, expectAccessible, test } from "./fixtures";

test("a forgotten password: link by mail, every older session ends", async ({
  page,
  mailsTo,
  request,
  origin,
  newcomer,
}) => {
  const consents = { terms: true, privacy: true, yurtdisi: true, cagri_kayit: true };
  const registered = await request.post(`${origin}/api/auth/register`, {
    data: { ...newcomer, phone: "+905321112233", password_confirmation: newcomer.password, consents },
  });
  const { token } = (await registered.json()) as { token: string };
  const [welcome] = await mailsTo(newcomer.email);
  const verification = /dsv_\w+/.exec(welcome?.text ?? "")?.[0];
  await request.post(`${origin}/api/auth/verify-email`, { data: { token: verification } });

  await page.goto("/sign-in");
  await page.locator("a[href*='/forgot-password']").click();
  await expect(page).toHaveURL(/\/forgot-password/);
  await page.locator("input[name=email]").fill(newcomer.email);
  await page.locator("form button[type=submit]").click();
  await expect(page.locator("input[name=email]")).toHaveCount(0);
  await expectAccessible(page);

  let link: string | undefined;
  await expect
    .poll(async () => {
      link = /https?:\S+\/reset-password\?\S+/.exec((await mailsTo(newcomer.email))[0]?.text ?? "")?.[0];
      return link;
    })
    .toBeTruthy();
  const { pathname, search } = new URL(link!);
  for (let scan = 0; scan < 3; scan++) await request.get(origin + pathname + search);
  await page.goto(pathname + search);
  await expect(page, "the token leaves the address bar").toHaveURL(/\/reset-password$/);
  await expectAccessible(page);
  await page.locator("input[name=password]").fill("yeni-ve-uzun-parola");
  await page.locator("form button[type=submit]").click();
  await expect(page).toHaveURL(/\/dashboard/);
  expect(
    (await request.get(`${origin}/api/user`, { headers: { authorization: `Bearer ${token}` } })).status(),
  ).toBe(401);

  await page.context().clearCookies({ name: "session" });
  await page.goto(pathname + search);
  await page.locator("input[name=password]").fill("noch-ein-passwort");
  await page.locator("form button[type=submit]").click();
  await expect(page.locator("main")).toContainText(/./);
  await expect(page, "a link works once").not.toHaveURL(/\/dashboard/);
  await expectAccessible(page);
});
