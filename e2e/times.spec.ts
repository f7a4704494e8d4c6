import { expect, open, test } from "./fixtures";

test("dates stay as the server wrote them, and a browser makes no format for them", async ({
  page,
  signIn,
}) => {
  await signIn(page, "customer@example.com");
  await page.addInitScript(() => {
    const made: string[] = [];
    Object.assign(window, { made });
    for (const name of ["DateTimeFormat", "NumberFormat", "RelativeTimeFormat"] as const)
      Object.assign(Intl, {
        [name]: new Proxy(Intl[name], {
          construct(target, given, asked) {
            made.push(name);
            return Reflect.construct(target, given, asked) as object;
          },
        }),
      });
  });
  for (const address of ["/sites", "/snippets"]) {
    await open(page, address);
    await expect(page.locator("time").first()).toHaveText(/\d/);
    expect(await page.evaluate("made"), address).toEqual([]);
  }
});

test("a moment ago is said from the first sight on, as time goes by, and in another language", async ({
  page,
  signIn,
  member,
  look,
  t,
}) => {
  const said = (locale: string, minutes: number) =>
    new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-minutes, minutes ? "minute" : "second");
  const address = "/settings/security/activity";
  await signIn(page, member.email, member.password);
  await page.clock.install();
  await open(page, address);
  expect(await (await page.request.get(address)).text()).toContain(`>${said(look.locale, 0)}</time>`);
  const latest = page.locator("time").first();
  await expect(latest).toHaveText(said(look.locale, 0));
  await page.clock.fastForward("03:00");
  await expect(latest).toHaveText(said(look.locale, 3));

  await open(page, address);
  await page.getByRole("button", { name: t("shell.userMenu") }).click();
  await page.getByRole("menuitem", { name: t("shell.language") }).click();
  await page.getByRole("menuitemradio", { name: "English" }).click();
  await expect(latest).toHaveText(/^(now|\d minutes? ago)$/);
});
