import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { toTurkishDay } from "@/server/core/calendar";
import { DAY, fromNow } from "@/server/core/time";
import { expect, expectAccessible, expectPage, open, test } from "./fixtures";
import type { Translator } from "./translator";

const INVOICE_STEPS = ["queued", "contact", "invoice", "payment", "edocument", "polling", "pdf"] as const;

async function openInvoice(page: Page, t: Translator, { email, name }: { email: string; name: string }) {
  await open(page, "/admin/accounting");
  await page.getByRole("searchbox", { name: t("accounting.search") }).fill(email);
  await expect(page.getByRole("status").getByText(t("accounting.found", { count: 1 }))).toBeVisible();
  await page.getByRole("table").getByRole("link", { name, exact: true }).click();
  await expectPage(page, /\/admin\/accounting\/\d+$/);
  for (const step of INVOICE_STEPS)
    await expect(page.getByText(t(`accounting.timeline.steps.${step}`), { exact: true })).toBeVisible();
}

test("an administrator sees the state of each invoice", { tag: "@main" }, async ({ page, signIn, t }) => {
  await signIn(page, "admin@example.com");
  await open(page, "/admin/accounting");
  await expectPage(page, /\/admin\/accounting$/);
  await page.getByRole("button", { name: t("accounting.test.button") }).click();
  await expect(page.getByText(t("accounting.test.bank_account"))).toBeVisible();

  await openInvoice(page, t, { email: "full@example.com", name: "Can Öztürk" });
  await expect(page.getByText(t("accounting.timeline.is.done"), { exact: true })).toHaveCount(
    INVOICE_STEPS.length,
  );
  await expect(page.getByText(t("accounting.details.e_archive"))).toBeVisible();
  await expect(page.getByText(t("accounting.clock.stopped"))).toHaveCount(0);
  const downloadEvent = page.waitForEvent("download");
  await page.getByRole("link", { name: t("accounting.actions.download") }).click();
  expect(await readFile(await (await downloadEvent).path(), "latin1")).toMatch(/^%PDF-/);

  await openInvoice(page, t, { email: "customer1@example.com", name: "Işıl Çelik" });
  await expect(page.getByText(t("accounting.problems.amount"))).toBeVisible();
  await expect(page.getByText(t("accounting.calls.none"))).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await openInvoice(page, t, { email: "customer3@example.com", name: "Zeynep Koç" });
  await expect(page.getByText(t("accounting.problems.document"))).toBeVisible();
  await expect(page.getByText("GİB sistemine ulaşılamadı")).toBeVisible();

  await openInvoice(page, t, { email: "customer2@example.com", name: "İbrahim Şahin" });
  await expect(page.getByText(/Barter/)).toBeVisible();
  await expect(page.getByText(t("accounting.clock.stopped"))).toBeVisible();
  await expect(page.getByRole("button", { name: t("accounting.actions.lift") })).toBeVisible();
  await expect(page.getByRole("button", { name: t("accounting.actions.resume") })).toHaveCount(0);
});

test("a late invoice is skipped, resumed, completed, issued and downloaded by the customer", async ({
  page,
  signIn,
  member,
  origin,
  request,
  t,
}) => {
  const callApi = async (method: "get" | "post", path: string, token: string, data?: object) => {
    const response = await request[method](origin + path, {
      headers: { authorization: `Bearer ${token}` },
      data,
    });
    expect(response.ok(), await response.text()).toBe(true);
    return response.json();
  };
  const password = "demo-password";
  const login = await request.post(`${origin}/api/auth/login`, {
    data: { email: "admin@example.com", password },
  });
  const adminToken = (await login.json()).token as string;
  const { user } = await callApi("get", "/api/auth/user", member.token);
  const { data: plans } = await callApi("get", "/api/subscription-plans", member.token);
  await callApi("post", "/api/admin/subscriptions/manual-activate", adminToken, {
    user_id: user.id,
    plan_id: plans[0].id,
    paid_at: toTurkishDay(fromNow(-10 * DAY)),
    send_email: false,
  });

  await signIn(page, "admin@example.com");
  await openInvoice(page, t, member);
  const problem = page.getByText(t("accounting.timeline.is.problem"), { exact: true });
  await expect(problem, "starts automatically").toBeVisible();
  // Due seven days after the payment: three days late, or four if midnight passes during the test.
  const lateNotices = [3, 4].map((days) => page.getByText(t("accounting.clock.late", { days })));
  await expect(lateNotices[0]!.or(lateNotices[1]!)).toBeVisible();
  await expectAccessible(page);

  const performAction = async (name: "skip" | "lift", reason: string, word?: string) => {
    const label = t(`accounting.actions.${name}`);
    await page.getByRole("button", { name: label, exact: true }).click();
    const form = page.getByRole("dialog", { name: label });
    await form.getByLabel(t("accounting.actions.reason"), { exact: true }).fill(reason);
    if (word) await form.getByLabel(t("accounting.actions.confirm", { word })).fill(word);
    await expectAccessible(page);
    await form.getByRole("button", { name: label, exact: true }).click();
    await expect(form).toHaveCount(0);
  };
  await performAction("skip", "Takas", t("accounting.actions.word"));
  await expect(page.getByText(/Deniz Yılmaz[\s\S]*Takas/)).toBeVisible();
  await expect(page.getByText(t("accounting.clock.stopped"))).toBeVisible();
  await expectAccessible(page);
  await performAction("lift", "Yine de ödendi");
  await expect(problem).toBeVisible();
  await page.getByRole("button", { name: t("accounting.actions.resume") }).click();
  await expect(page.getByText(t("responses.invoice_resumed"))).toBeVisible();
  // Resuming sets the state to `queued` first.
  const getDocumentState = async () =>
    (await callApi("get", `/api${new URL(page.url()).pathname}`, adminToken)).document.state;
  await expect.poll(getDocumentState, "stops at the same step again").toBe("needs_data");
  await open(page, page.url());

  const changeLabel = t("accounting.actions.change");
  await page.getByRole("button", { name: changeLabel, exact: true }).click();
  const form = page.getByRole("dialog", { name: changeLabel });
  const profileField = (name: "address" | "district" | "city") =>
    form.getByRole("textbox", { name: t(`billing.profile.${name}`), exact: true });
  await profileField("address").fill("Moda Cad. 1");
  await profileField("district").fill("Kadıköy");
  await profileField("city").fill("İstanbul");
  await expectAccessible(page);
  await form.getByRole("button", { name: t("billing.profile.save"), exact: true }).click();
  await expect(form).toHaveCount(0);

  const downloadLink = page.getByRole("link", { name: t("accounting.actions.download") });
  await expect(downloadLink, "continues once the data is complete").toBeVisible();
  await expect(page.getByText(t("accounting.timeline.is.done"), { exact: true })).toHaveCount(
    INVOICE_STEPS.length,
  );
  await page.setViewportSize({ width: 390, height: 844 });

  await signIn(page, member.email, member.password);
  await open(page, "/billing?tab=documents");
  const invoiceLink = page.getByRole("link", {
    name: new RegExp(`^${t("billing.documents.download")}: TLA\\d{13}$`),
  });
  await expect(invoiceLink).toBeVisible();
  const downloadEvent = page.waitForEvent("download");
  await invoiceLink.click();
  const download = await downloadEvent;
  expect(download.suggestedFilename()).toMatch(/^invoice-TLA\d{13}\.pdf$/);
  expect(await readFile(await download.path(), "latin1")).toMatch(/^%PDF-/);
});
