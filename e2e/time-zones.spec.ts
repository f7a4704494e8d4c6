import { expect, open, test } from "./fixtures";

/** Simulates a browser that knows only `Europe/Kiev`; with `?bare`, it also lacks newer parts of Intl. */
function simulateOldBrowser(): void {
  const OriginalDateTimeFormat = Intl.DateTimeFormat;
  const rejectKyiv = (zone: unknown) => {
    if (zone === "Europe/Kyiv") throw new RangeError(`Invalid time zone specified: ${zone}`);
  };
  Intl.DateTimeFormat = new Proxy(OriginalDateTimeFormat, {
    construct(target, [locales, options]) {
      rejectKyiv(options?.timeZone);
      return new target(locales, options);
    },
    apply(target, _self, [locales, options]) {
      rejectKyiv(options?.timeZone);
      return target(locales, options);
    },
  });
  const supportedZones = Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "Europe/Kyiv");
  if (location.search.includes("bare")) {
    for (const name of ["supportedValuesOf", "ListFormat", "DisplayNames", "Segmenter", "Locale"])
      Reflect.deleteProperty(Intl, name);
  } else Intl.supportedValuesOf = () => supportedZones;
}

test("pages work in a browser that does not support the account's time zone", { tag: "@main" }, async ({
  page,
  server,
  member,
  signIn,
  t,
}) => {
  await server.sql(`update users set timezone = 'Europe/Kyiv' where email = '${member.email}'`);
  await page.addInitScript(simulateOldBrowser);
  await signIn(page, member.email, member.password);
  for (const address of [
    "/dashboard",
    "/settings/profile",
    "/settings/security",
    "/settings/security/activity",
  ]) {
    await open(page, address);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  for (const address of ["/settings/profile", "/settings/profile?bare"]) {
    await open(page, address);
    const zoneSelect = page.getByRole("combobox", { name: t("settings.details.timezone") });
    await expect(zoneSelect).toContainText("Europe/Kyiv");
    const nameField = page.getByLabel(t("settings.details.name"), { exact: true });
    await nameField.fill(`Işıl ${address.length}`);
    await page.getByRole("button", { name: t("settings.details.save") }).click();
    await expect(page.getByText(t("responses.profile_saved")).first()).toBeVisible();
  }
});

test("times are shown in the zone under its former name", async ({ page, server, member, signIn }) => {
  await server.sql(`update users set timezone = 'Europe/Kyiv' where email = '${member.email}'`);
  await page.addInitScript(simulateOldBrowser);
  await signIn(page, member.email, member.password);
  await open(page, "/settings/security");
  const formattedTime = await page.evaluate(() => {
    const winterDate = new Date("2026-11-28T10:00:00Z");
    return new Intl.DateTimeFormat("en", { timeZone: "Europe/Kiev", timeStyle: "short" }).format(winterDate);
  });
  expect(formattedTime).toBe("12:00 PM");
  await page.getByRole("main").locator("button:has(time)").first().click();
  await expect(
    page
      .getByRole("dialog")
      .getByText(/GMT\+[23]|EET/)
      .first(),
  ).toBeVisible();
});
