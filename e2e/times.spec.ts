import { expect, open, test } from "./fixtures";

test("dates are rendered by the server, and the browser creates no Intl formatter", async ({
  page,
  signIn,
}) => {
  await signIn(page, "customer@example.com");
  await page.addInitScript(() => {
    const constructed: string[] = [];
    Object.assign(window, { constructed });
    for (const name of ["DateTimeFormat", "NumberFormat", "RelativeTimeFormat"] as const)
      Object.assign(Intl, {
        [name]: new Proxy(Intl[name], {
          construct(target, args, newTarget) {
            constructed.push(name);
            return Reflect.construct(target, args, newTarget) as object;
          },
        }),
      });
  });
  for (const address of ["/sites", "/snippets"]) {
    await open(page, address);
    await expect(page.locator("time").first()).toHaveText(/\d/);
    expect(await page.evaluate("constructed"), address).toEqual([]);
  }
});

test("relative times are in the server's HTML, advance with the clock and follow the language", async ({
  page,
  signIn,
  member,
  look,
  t,
}) => {
  const formatRelativeTime = (locale: string, minutes: number) =>
    new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-minutes, minutes ? "minute" : "second");
  const address = "/settings/security/activity";
  await signIn(page, member.email, member.password);
  await page.clock.install();
  await open(page, address);
  expect(await (await page.request.get(address)).text()).toContain(
    `>${formatRelativeTime(look.locale, 0)}</time>`,
  );
  const latestTime = page.locator("time").first();
  await expect(latestTime).toHaveText(formatRelativeTime(look.locale, 0));
  await page.clock.fastForward("03:00");
  await expect(latestTime).toHaveText(formatRelativeTime(look.locale, 3));

  await open(page, address);
  await page.getByRole("button", { name: t("shell.userMenu") }).click();
  await page.getByRole("menuitem", { name: t("shell.language") }).click();
  await page.getByRole("menuitemradio", { name: "English" }).click();
  await expect(latestTime).toHaveText(/^(now|\d minutes? ago)$/);
});
