import type { Locator, Page } from "@playwright/test";
import { expect, expectAccessible, expectNoSidewaysScroll, LOOKS, open, test } from "./fixtures";
import type { Translator } from "./translator";

async function openForm(page: Page, t: Translator, address: string): Promise<Locator> {
  await open(page, address);
  const id = address.split("#")[1]!;
  await page.getByRole("button", { name: `${t("docs.try")} ${id}`, exact: true }).click();
  const form = page.getByRole("form", { name: t("docsTry.form", { name: id }) });
  await expect(form).toBeVisible();
  return form;
}

async function sendRequest(form: Locator, t: Translator): Promise<Locator> {
  await form.getByRole("button", { name: t("docsTry.send"), exact: true }).click();
  return form.getByRole("region", { name: t("docsTry.answer") });
}

const keyField = (form: Locator, t: Translator) => form.getByLabel(t("docsTry.paste"), { exact: true });

const readStorage = (page: Page) =>
  page.evaluate(async () => {
    const storage = [{ ...localStorage }, { ...sessionStorage }, document.cookie, window.location.href];
    return JSON.stringify([storage, window.history.state, window.name, await indexedDB.databases()]);
  });

test("sends a call without credentials, with a temporary token and with a site key, and stores no secret", {
  tag: "@main",
}, async ({ page, request, origin, server, signIn, t }) => {
  const credentials = { email: "customer@example.com", password: "demo-password" };
  const login = await request.post(`${origin}/api/auth/login`, { data: credentials });
  const headers = { authorization: `Bearer ${(await login.json()).token}` };
  const { data: sites } = await (await request.get(`${origin}/api/sites`, { headers })).json();
  const keyUrl = `${origin}/api/sites/${sites.at(-1).id}/regenerate-external-key`;
  const keyRenewal = await (await request.post(keyUrl, { headers, data: {} })).json();
  await signIn(page, credentials.email);

  const form = await openForm(page, t, "/docs/sites#listSites");
  await expect(await sendRequest(form, t)).toContainText("HTTP 401");

  await form.getByRole("button", { name: t("docsTry.makeRead") }).click();
  await expect(keyField(form, t)).toHaveValue(/^dsu_/);
  const userToken = await keyField(form, t).inputValue();
  await expect(await sendRequest(form, t)).toContainText("HTTP 200");
  await expectAccessible(page);

  await keyField(form, t).fill(keyRenewal.external_api_key);
  await expect(form.getByText(t("docsTry.sentAs", { header: "X-API-Key" }))).toBeVisible();
  const response = await sendRequest(form, t);
  await expect(response).toContainText("HTTP 200");
  await expect(response).toContainText(sites.at(-1).domain);

  for (const secret of [userToken, keyRenewal.external_api_key]) {
    expect(await readStorage(page)).not.toContain(secret);
    expect(server.output).not.toContain(secret);
  }
  const reopenedForm = await openForm(page, t, "/docs/sites?again#listSites");
  await expect(keyField(reopenedForm, t)).toHaveValue("");
});

test("a deleting call requires confirmation and is not sent after a refusal", async ({ page, t }) => {
  const form = await openForm(page, t, "/docs/snippets#deleteSnippet");
  const deletions: string[] = [];
  page.on("request", (request) => request.method() === "DELETE" && deletions.push(request.url()));
  const sendButton = form.getByRole("button", { name: t("docsTry.send"), exact: true });
  await sendButton.click();
  const confirmDialog = form.getByRole("alertdialog");
  await expect(confirmDialog).toContainText(t("docsTry.asks", { name: "deleteSnippet" }));
  await confirmDialog.getByRole("button", { name: t("docsTry.no"), exact: true }).click();
  await expect(confirmDialog).toHaveCount(0);
  expect(deletions).toEqual([]);
  await sendButton.click();
  await confirmDialog.getByRole("button", { name: t("docsTry.yes", { name: "deleteSnippet" }) }).click();
  await expect(form.getByRole("region", { name: t("docsTry.answer") })).toContainText("HTTP 401");
  expect(deletions).toHaveLength(1);
});

const SCRIPT_PAYLOADS = [
  "<script>window.hit=1</script>",
  "<img src=x onerror='window.hit=1'>",
  "<svg onload=window.hit=1>",
  "<svg><script>window.hit=1</script></svg>",
  "<iframe srcdoc='<script>parent.hit=1</script>'></iframe>",
  "</code></pre><script>window.hit=1</script>",
  "</script><script>window.hit=1</script>",
  "<a href='javascript:window.hit=1'>a</a>",
  "<details open ontoggle=window.hit=1>",
  "<style>*{display:none}</style>",
  "<base href='https://example.com/'>",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a payload for template engines
  "${window.hit=1}{{constructor.constructor('window.hit=1')()}}",
].flatMap((each) => [each, each.toUpperCase(), `"'>${each}`, `\u2028${each}`, encodeURIComponent(each)]);

test("responses are shown as text, truncated when long, masked when secret, and saved as files", async ({
  page,
  t,
}) => {
  let mockResponse = {
    contentType: "application/json",
    body: JSON.stringify({ payloads: SCRIPT_PAYLOADS }),
    headers: {},
  };
  await page.route("**/api/sites", (route) => route.fulfill({ status: 200, ...mockResponse }));
  const form = await openForm(page, t, "/docs/sites#listSites");
  const response = await sendRequest(form, t);
  expect(SCRIPT_PAYLOADS).toHaveLength(60);
  const output = response.locator("pre");
  await expect(output).toContainText("payloads");
  const text = await output.textContent();
  for (const payload of SCRIPT_PAYLOADS) expect(text).toContain(JSON.stringify(payload));

  mockResponse = { ...mockResponse, contentType: "text/html", body: SCRIPT_PAYLOADS.join("\n") };
  await sendRequest(form, t);
  await expect(output).toHaveText(/^<script>/);
  expect(await output.textContent()).toBe(SCRIPT_PAYLOADS.join("\n"));
  expect(await response.locator("script, img, svg, iframe, a, style, base").count()).toBe(0);
  expect(await page.evaluate(() => "hit" in window)).toBe(false);

  mockResponse = {
    ...mockResponse,
    contentType: "application/json",
    body: JSON.stringify({ text: "x".repeat(10_000_000) }),
  };
  await sendRequest(form, t);
  await expect(response).toContainText(t("docsTry.cut"));
  // The panel shows at most a million characters.
  expect((await output.textContent())?.length).toBe(1_000_000);

  mockResponse = { ...mockResponse, body: JSON.stringify({ token: "opens something" }) };
  await sendRequest(form, t);
  await expect(response).toContainText("••••••••");
  await expect(response).not.toContainText("opens something");
  await response.getByRole("button", { name: t("docsTry.show") }).click();
  await expect(response).toContainText("opens something");

  mockResponse = {
    ...mockResponse,
    headers: { "content-disposition": 'attachment; filename="sites.csv"' },
    body: "id,name\n",
  };
  await sendRequest(form, t);
  const downloadEvent = page.waitForEvent("download");
  await response.getByRole("button", { name: t("docsTry.save") }).click();
  expect((await downloadEvent).suggestedFilename()).toBe("sites.csv");

  mockResponse = { contentType: "application/json", headers: {}, body: "" };
  await sendRequest(form, t);
  await expect(response).toContainText(t("docsTry.noBody"));
});

test.describe("on a phone, in Arabic and dark", () => {
  test.use({ look: LOOKS[3], viewport: { width: 390, height: 844 } });

  test("forms fit the screen, and a search without a result suggests the nearest guide", async ({
    page,
    t,
  }) => {
    await open(page, "/docs?q=wehbooks");
    await expect(page.getByText(t("docs.noMatch"))).toBeVisible();
    await page
      .getByRole("link", { name: t("docsGuides.webhooks.title") })
      .filter({ visible: true })
      .click();
    await page.waitForURL(/\/docs\/guides\/webhooks$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("docsGuides.webhooks.title"));
    const form = await openForm(page, t, "/docs/sites#createSite");
    await form.getByRole("button", { name: "customer@example.com" }).click();
    await expect(keyField(form, t)).toHaveValue(/^dsu_/);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });
});
