import { ARABIC_PHONE, expect, expectFocusKept, open, pathOf, test } from "./fixtures";

test.describe("on a phone, in Arabic and dark", () => {
  test.use(ARABIC_PHONE);

  test("a person asks for a copy of the data and downloads it from the mail", { tag: "@main" }, async ({
    page,
    request,
    origin,
    member,
    mailed,
    signIn,
    t,
  }) => {
    await signIn(page, member.email, member.password);
    await open(page, "/settings/privacy");

    const card = page.getByRole("region", { name: t("dataExport.title") });
    await card.getByText(t("dataExport.inside")).click();
    await card.getByRole("button", { name: t("dataExport.request") }).click();
    await expect(card.getByText(t("dataExport.ready"), { exact: true }), "the page follows").toBeVisible();
    await expectFocusKept(page);

    const { found } = await mailed(member.email, /http\S+\/api\/user\/export\/\S+/);
    const archive = await request.get(origin + pathOf(found));
    expect([archive.status(), archive.headers()["content-type"]]).toEqual([200, "application/zip"]);
    expect((await archive.body()).subarray(0, 2).toString()).toBe("PK");
  });
});

test("a button sends once however fast it is pressed, and says when the server is not there", async ({
  page,
  signIn,
  t,
}) => {
  await signIn(page, "reseller@example.com");
  await open(page, "/settings/privacy");
  const card = page.getByRole("region", { name: t("dataExport.title") });
  const ask = card.getByRole("button", { name: t("dataExport.request") });
  let sent = 0;
  await page.route("**/trpc/dataExport.request**", (route) => {
    sent++;
    // As a proxy speaks: nothing that the panel can read.
    return route.fulfill({ status: 404, contentType: "text/plain", body: "nobody here" });
  });
  await ask.evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await expect(page.getByText(t("ui.error.network")).first(), "in the reader's words").toBeVisible();
  expect(sent).toBe(1);
  await expect(ask, "and can be pressed again").not.toHaveAttribute("aria-busy");
});
