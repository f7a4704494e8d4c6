import { ARABIC_PHONE, expect, expectFocusKept, open, test, toPath } from "./fixtures";

test.describe("on a phone, in Arabic and dark", () => {
  test.use(ARABIC_PHONE);

  test("a user requests a data export and downloads it from the mailed link", { tag: "@main" }, async ({
    page,
    request,
    origin,
    member,
    waitForMail,
    signIn,
    t,
  }) => {
    await signIn(page, member.email, member.password);
    await open(page, "/settings/privacy");

    const card = page.getByRole("region", { name: t("dataExport.title") });
    await card.getByText(t("dataExport.inside")).click();
    await card.getByRole("button", { name: t("dataExport.request") }).click();
    await expect(
      card.getByText(t("dataExport.ready"), { exact: true }),
      "the page updates by itself",
    ).toBeVisible();
    await expectFocusKept(page);

    const { match: link } = await waitForMail(member.email, /http\S+\/api\/user\/export\/\S+/);
    const archiveResponse = await request.get(origin + toPath(link));
    expect([archiveResponse.status(), archiveResponse.headers()["content-type"]]).toEqual([
      200,
      "application/zip",
    ]);
    expect((await archiveResponse.body()).subarray(0, 2).toString()).toBe("PK");
  });
});

test("a double click sends one request, and a network error is shown", async ({ page, signIn, t }) => {
  await signIn(page, "reseller@example.com");
  await open(page, "/settings/privacy");
  const card = page.getByRole("region", { name: t("dataExport.title") });
  const requestButton = card.getByRole("button", { name: t("dataExport.request") });
  let requestCount = 0;
  await page.route("**/trpc/dataExport.request**", (route) => {
    requestCount++;
    return route.fulfill({ status: 404, contentType: "text/plain", body: "not found" });
  });
  await requestButton.evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await expect(page.getByText(t("ui.error.network")).first(), "in the page's language").toBeVisible();
  expect(requestCount).toBe(1);
  await expect(requestButton, "the button is enabled again").not.toHaveAttribute("aria-busy");
});
