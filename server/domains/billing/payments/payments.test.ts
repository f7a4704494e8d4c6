import { Readable } from "node:stream";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { renderStoredMail } from "@/server/infrastructure/mail/outbox";
import { storage } from "@/server/infrastructure/storage/storage";
import {
  makeLicence,
  makePayment,
  makeProvenUser,
  makeSite,
  makeSubscription,
  makeToken,
  makeUser,
} from "@/server/testing/factories";
import { sendHttp } from "@/server/testing/http";
import { buildMultipartForm } from "@/server/testing/multipart";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { openFakeS3 } from "@/server/testing/s3";
import { startTestServer } from "@/server/testing/server";
import { sweepReceiptsJob } from "./jobs";

const s3 = await openFakeS3();
afterAll(() => s3.close());
const { port, get, post, call, runJobs } = await startTestServer({ env: s3.env });
const db = prisma();
const { token: adminToken, ...admin } = await makeProvenUser({ role: "admin" });
const proPlan = await db.subscriptionPlan.findUniqueOrThrow({ where: { slug: "pro" } });
beforeEach(resetRateLimits);

const payLicence = (id: number, body: object = {}) =>
  post(`/api/admin/licences/${id}/payment`, body, { token: adminToken });
const reversePayment = (id: number, body: object = {}) =>
  post(
    `/api/admin/payments/${id}/reverse`,
    { reason: "The bank took it back", confirmation: "REVERSE", ...body },
    { token: adminToken },
  );
const activate = async (body: object) =>
  (
    await post(
      "/api/admin/subscriptions/manual-activate",
      { plan_id: proPlan.id, ...body },
      { token: adminToken },
    )
  ).json;
const readSite = (id: number) => db.site.findUniqueOrThrow({ where: { id } });

describe("payment of a licence", () => {
  it("activates the licence, restores its site and mails the customer", async () => {
    const user = await makeUser({ role: "reseller" });
    const site = await makeSite(user.id, { isActive: false, suspendedReason: "licence_unpaid" });
    const licence = await makeLicence(user.id, { siteId: site.id });
    const { status, json } = await payLicence(licence.id, { bank_reference: licence.reference });
    expect(status).toBe(201);
    expect(json.licence.status).toBe("active");
    expect(json.payment.amount).toBe(3999);
    expect(json.invoice.state).toBe("queued");
    expect(json.payment).toMatchObject({ licence_id: licence.id, subscription_id: null });
    expect(await readSite(site.id)).toMatchObject({ isActive: true, suspendedReason: null });
    const [mail] = await db.mailMessage.findMany({ where: { userId: user.id } });
    expect({ template: mail!.template, ccAddress: mail!.ccAddress }).toEqual({
      template: "licence_paid",
      ccAddress: admin.email,
    });
    expect(renderStoredMail(mail!.sealed).text).toContain("3.999,00");
    const repeatedResponse = await payLicence(licence.id);
    expect(repeatedResponse.status).toBe(422);
    expect(Object.keys(repeatedResponse.json)).toEqual(["success", "error"]);
    expect(await db.payment.count({ where: { userId: user.id } })).toBe(1);
  });

  it("keeps a site suspended that its owner suspended", async () => {
    const user = await makeUser({ role: "reseller" });
    const site = await makeSite(user.id, { isActive: false });
    const licence = await makeLicence(user.id, { siteId: site.id });
    expect(
      (await payLicence(licence.id, { send_email: false, create_invoice: false })).json.invoice.state,
    ).toBe("skipped");
    expect(await readSite(site.id)).toMatchObject({ isActive: false, suspendedReason: "owner" });
    expect(await db.mailMessage.count({ where: { userId: user.id } })).toBe(0);
  });
});

describe("reversal", () => {
  it("cancels the subscription, moves its oldest sites to free slots and suspends the newest", async () => {
    const user = await makeUser();
    const otherSubscription = await makeSubscription(user.id, { slots: 1 });
    const { subscription, payment } = await activate({ user_id: user.id });
    const sites = [];
    for (let number = 0; number < 3; number++)
      sites.push(await makeSite(user.id, { subscriptionId: subscription.id }));
    const { status, json } = await reversePayment(payment.id, { confirmation: "geri  al" });
    expect({ status, state: json.payment.state, invoice: json.payment.invoice }).toEqual({
      status: 200,
      state: "reversed",
      invoice: "cancelled",
    });
    expect(json.payment).toMatchObject({ reversed_by_id: admin.id, reverse_reason: "The bank took it back" });
    expect(json.moved_sites.map(({ id }: { id: number }) => id)).toEqual([sites[0]!.id]);
    expect(json.suspended_sites.map(({ id }: { id: number }) => id)).toEqual([sites[2]!.id, sites[1]!.id]);
    expect((await readSite(sites[0]!.id)).subscriptionId).toBe(otherSubscription.id);
    expect(await readSite(sites[2]!.id)).toMatchObject({
      isActive: false,
      suspendedReason: "subscription_ended",
    });
    expect(await db.subscription.findUniqueOrThrow({ where: { id: subscription.id } })).toMatchObject({
      status: "cancelled",
      closedReason: "reversed",
      usedSlots: 0,
    });
    const mails = await db.mailMessage.findMany({ where: { userId: user.id, template: "payment_reversed" } });
    expect(renderStoredMail(mails[0]!.sealed).text).toContain("2 siteniz");
    const repeatedResponse = await reversePayment(payment.id);
    expect(repeatedResponse.status).toBe(422);
    expect(Object.keys(repeatedResponse.json)).toEqual(["success", "error"]);
    const nextActivation = await activate({ user_id: user.id });
    expect(nextActivation.restored_sites.map(({ id }: { id: number }) => id)).toEqual([
      sites[1]!.id,
      sites[2]!.id,
    ]);
  });

  it("of a renewal reopens the renewed subscription with its sites", async () => {
    const user = await makeUser();
    const oldSubscription = await makeSubscription(user.id, { days: 10 });
    const site = await makeSite(user.id, { subscriptionId: oldSubscription.id });
    const { payment } = await activate({ user_id: user.id, renews_subscription_id: oldSubscription.id });
    expect((await reversePayment(payment.id)).json.suspended_sites).toEqual([]);
    expect(await db.subscription.findUniqueOrThrow({ where: { id: oldSubscription.id } })).toMatchObject({
      status: "active",
      closedReason: null,
      endsAt: oldSubscription.endsAt,
      usedSlots: 1,
    });
    expect((await readSite(site.id)).subscriptionId).toBe(oldSubscription.id);
    expect((await activate({ user_id: user.id, renews_subscription_id: oldSubscription.id })).success).toBe(
      true,
    );
  });

  it("of a smaller renewal restores the sites that had no slot", async () => {
    const user = await makeUser();
    const starter = await db.subscriptionPlan.findUniqueOrThrow({ where: { slug: "starter" } });
    const oldSubscription = await makeSubscription(user.id, { slots: 3 });
    for (let number = 0; number < 3; number++)
      await makeSite(user.id, { subscriptionId: oldSubscription.id });
    const smallerRenewal = {
      user_id: user.id,
      plan_id: starter.id,
      renews_subscription_id: oldSubscription.id,
    };
    const { payment, suspended_sites } = await activate(smallerRenewal);
    expect(suspended_sites).toHaveLength(2);
    const { json } = await reversePayment(payment.id);
    expect([json.moved_sites.length, json.suspended_sites.length]).toEqual([3, 0]);
    expect(
      await db.site.count({ where: { userId: user.id, isActive: true, subscriptionId: oldSubscription.id } }),
    ).toBe(3);
  });

  it("of a renewed subscription is rejected until its renewals are reversed; a reversed one stays closed", async () => {
    const user = await makeUser();
    const first = await activate({ user_id: user.id });
    const second = await activate({ user_id: user.id, renews_subscription_id: first.subscription.id });
    const third = await activate({ user_id: user.id, renews_subscription_id: second.subscription.id });
    const readStates = async () => {
      const subscriptions = await db.subscription.findMany({
        where: { userId: user.id },
        orderBy: { id: "asc" },
      });
      return subscriptions.map(({ status, closedReason }) => closedReason ?? status);
    };
    for (const { payment } of [first, second]) {
      const { status, json } = await reversePayment(payment.id);
      expect(status).toBe(422);
      expect(Object.keys(json)).toEqual(["success", "error"]);
    }
    expect(await readStates()).toEqual(["renewed", "renewed", "active"]);
    expect((await reversePayment(third.payment.id)).status).toBe(200);
    expect(await readStates()).toEqual(["renewed", "active", "reversed"]);
    expect((await reversePayment(second.payment.id)).status).toBe(200);
    expect(await readStates()).toEqual(["active", "reversed", "reversed"]);
  });

  it("of a subscription with an expired renewal reopens nothing", async () => {
    const user = await makeUser();
    const first = await activate({ user_id: user.id });
    const second = await activate({ user_id: user.id, renews_subscription_id: first.subscription.id });
    await db.subscription.update({ where: { id: second.subscription.id }, data: { status: "expired" } });
    expect((await reversePayment(first.payment.id)).status).toBe(200);
    expect((await reversePayment(second.payment.id)).status).toBe(200);
    const rows = await db.subscription.findMany({ where: { userId: user.id }, orderBy: { id: "asc" } });
    expect(rows.map(({ status }) => status)).toEqual(["cancelled", "expired"]);
  });

  it("of a licence makes it pending again", async () => {
    const user = await makeUser({ role: "reseller" });
    const licence = await makeLicence(user.id, { payBy: fromNow(-DAY) });
    const { payment } = (await payLicence(licence.id)).json;
    expect((await reversePayment(payment.id)).status).toBe(200);
    const licenceAfter = await db.siteLicence.findUniqueOrThrow({ where: { id: licence.id } });
    expect(licenceAfter.status).toBe("pending");
    expect(licenceAfter.paidAt).toBe(null);
    expect(licenceAfter.payBy > new Date()).toBe(true);
    expect((await payLicence(licence.id)).status).toBe(201);
  });

  it("of the payment for a deleted site's licence closes the licence", async () => {
    const user = await makeUser({ role: "reseller" });
    const licence = await makeLicence(user.id);
    const { payment } = (await payLicence(licence.id)).json;
    await db.site.update({
      where: { id: licence.siteId },
      data: { deletedAt: new Date(), isActive: false, suspendedReason: "owner" },
    });
    await reversePayment(payment.id);
    expect(await db.siteLicence.findUniqueOrThrow({ where: { id: licence.id } })).toMatchObject({
      status: "cancelled",
      closedReason: "reversed",
    });
  });

  it("of an erased account sends no mail", async () => {
    const user = await makeUser();
    const { payment } = await activate({ user_id: user.id });
    const options = { token: await makeToken(user.id) };
    const erasure = await post("/api/auth/account/confirm-delete", { confirmation: "SİL" }, options);
    expect(erasure.status).toBe(200);
    const mailCountBefore = await db.mailMessage.count();
    expect((await reversePayment(payment.id)).status).toBe(200);
    expect(await db.mailMessage.count()).toBe(mailCountBefore);
  });

  it("of an activation reopens absorbed licences and keeps their sites active", async () => {
    const user = await makeUser({ role: "reseller" });
    const suspendedSite = await makeSite(user.id, { isActive: false, suspendedReason: "licence_unpaid" });
    const licences = [
      await makeLicence(user.id, { siteId: suspendedSite.id, payBy: fromNow(-DAY) }),
      await makeLicence(user.id, { payBy: fromNow(20 * DAY) }),
      await makeLicence(user.id),
      await makeLicence(user.id),
    ];
    const [overdueLicence, licenceDueLater, expiredLicence, licenceOfDeletedSite] = licences;
    await db.licenceNotice.create({ data: { licenceId: overdueLicence!.id, kind: "suspended" } });
    const { subscription, payment, absorbed } = await activate({
      user_id: user.id,
      absorbableLicenses: true,
    });
    expect(absorbed.licenses).toHaveLength(4);
    const plainSite = await makeSite(user.id, { subscriptionId: subscription.id });
    await db.siteLicence.update({
      where: { id: expiredLicence!.id },
      data: { periodStart: fromNow(-370 * DAY), periodEnd: fromNow(-5 * DAY) },
    });
    const deletedSiteFields = { deletedAt: new Date(), isActive: false, suspendedReason: "owner" as const };
    await db.site.update({
      where: { id: licenceOfDeletedSite!.siteId },
      data: { ...deletedSiteFields, subscriptionId: null },
    });

    const { status, json } = await reversePayment(payment.id);
    expect({ status, moved_sites: json.moved_sites }).toEqual({ status: 200, moved_sites: [] });
    const suspendedIds = json.suspended_sites.map(({ id }: { id: number }) => id);
    expect(suspendedIds, "no subscription or licence pays for these").toEqual([
      plainSite.id,
      expiredLicence!.siteId,
    ]);
    for (const { id, siteId } of [overdueLicence!, licenceDueLater!]) {
      const licenceAfter = await db.siteLicence.findUniqueOrThrow({ where: { id } });
      expect(licenceAfter).toMatchObject({ status: "pending", closedReason: null, absorbedById: null });
      expect(await readSite(siteId)).toMatchObject({
        isActive: true,
        suspendedReason: null,
        subscriptionId: null,
      });
    }
    const [renewedDeadlineLicence, unchangedDeadlineLicence] = await db.siteLicence.findMany({
      where: { id: { in: [overdueLicence!.id, licenceDueLater!.id] } },
      orderBy: { id: "asc" },
    });
    expect(Math.round((renewedDeadlineLicence!.payBy.getTime() - Date.now()) / DAY)).toBe(14);
    expect(unchangedDeadlineLicence!.payBy).toEqual(licenceDueLater!.payBy);
    const notices = await db.licenceNotice.findMany({ where: { licenceId: overdueLicence!.id } });
    expect(notices, "notices can be sent again").toEqual([]);
    const absorbedFilter = {
      where: { id: { in: [expiredLicence!.id, licenceOfDeletedSite!.id] }, status: "absorbed" as const },
    };
    expect(await db.siteLicence.count(absorbedFilter)).toBe(2);
    const where = { action: "licence.reopened", objectId: { in: licences.map(({ id }) => String(id)) } };
    expect(await db.auditEvent.count({ where })).toBe(2);
    const { usedSlots } = await db.subscription.findUniqueOrThrow({ where: { id: subscription.id } });
    expect(usedSlots).toBe(0);
    expect((await payLicence(overdueLicence!.id)).status).toBe(201);
  });

  it("of an activation that absorbed next year's licence: the site keeps its paid licence and frees its slot", async () => {
    const user = await makeUser({ role: "reseller" });
    const otherSubscription = await makeSubscription(user.id, { slots: 1 });
    const { siteId, periodEnd } = await makeLicence(user.id, { status: "active", paidAt: new Date() });
    const nextYearFields = { periodStart: periodEnd, periodEnd: fromNow(730 * DAY), payBy: periodEnd };
    const nextLicence = await makeLicence(user.id, { siteId, ...nextYearFields });
    const { subscription, payment } = await activate({
      user_id: user.id,
      absorbableLicenses: [nextLicence.id],
    });
    const plainSite = await makeSite(user.id, { subscriptionId: subscription.id });
    const { json } = await reversePayment(payment.id);
    expect(json).toMatchObject({ moved_sites: [{ id: plainSite.id }], suspended_sites: [] });
    expect(await readSite(siteId)).toMatchObject({ isActive: true, subscriptionId: null });
    expect((await readSite(plainSite.id)).subscriptionId).toBe(otherSubscription.id);
    const licenceAfter = await db.siteLicence.findUniqueOrThrow({ where: { id: nextLicence.id } });
    expect({ status: licenceAfter.status, payBy: licenceAfter.payBy }).toEqual({
      status: "pending",
      payBy: nextLicence.payBy,
    });
  });

  it("requires a reason and a confirmation word, with messages in Turkish", async () => {
    const { payment } = await activate({ user_id: (await makeUser()).id });
    const wrongConfirmationResponse = await reversePayment(payment.id, { confirmation: "yes" });
    expect(wrongConfirmationResponse.status).toBe(422);
    expect(wrongConfirmationResponse.json.errors.confirmation[0]).toEqual(expect.stringContaining("GERİ AL"));
    const shortReasonResponse = await reversePayment(payment.id, { reason: "x" });
    expect(shortReasonResponse.status).toBe(422);
    expect(Object.keys(shortReasonResponse.json.errors)).toEqual(["reason"]);
    for (const confirmation of ["gerı al", "GERI AL", " reverse ", "Stornieren", "عكس"]) {
      const user = await makeUser();
      const activation = await activate({ user_id: user.id });
      expect((await reversePayment(activation.payment.id, { confirmation })).status, confirmation).toBe(200);
    }
  });

  it("keeps a skipped invoice skipped", async () => {
    const { payment } = await activate({ user_id: (await makeUser()).id, create_invoice: false });
    expect((await reversePayment(payment.id)).json.payment.invoice).toBe("skipped");
  });
});

describe("receipt", () => {
  const PDF = "%PDF-1.7\n%%EOF";
  const PNG = Buffer.from("89504e470d0a1a0a00", "hex");
  const receiptPath = (id: number) => `/api/admin/payments/${id}/receipt`;
  const attachReceipt = (id: number, bytes: Uint8Array | string, type = "application/pdf") =>
    call("POST", receiptPath(id), {
      token: adminToken,
      ...buildMultipartForm([{ bytes, type, filename: "../../x.html" }]),
    });

  it("is stored privately, typed by its content and replaced by a new upload", async () => {
    const payment = await makePayment((await makeUser()).id, { receiptKey: null });
    expect((await call("GET", receiptPath(payment.id), { token: adminToken })).status).toBe(404);
    expect((await attachReceipt(payment.id, PDF, "image/png")).json.payment.has_receipt).toBe(true);
    const download = await call("GET", receiptPath(payment.id), { token: adminToken });
    expect(download.status).toBe(200);
    expect(download.text).toEqual(PDF);
    expect(download.headers["content-disposition"]).toBe(`attachment; filename="receipt-${payment.id}.pdf"`);
    expect(download.headers["cache-control"]).toBe("no-store");
    const { receiptKey } = await db.payment.findUniqueOrThrow({ where: { id: payment.id } });
    expect(receiptKey).toMatch(/^receipts\/\w+\.pdf$/);
    expect(String(s3.bucket.files.get(receiptKey!)!.bytes)).toBe(PDF);
    for (const path of [`/media/${receiptKey}`, `/${receiptKey}`])
      expect((await sendHttp(port, "GET", path)).text).not.toContain("%PDF");
    expect((await attachReceipt(payment.id, PNG)).status).toBe(200);
    await runJobs();
    expect(await storage().read(receiptKey!)).toBeUndefined();
    expect(
      (await call("GET", receiptPath(payment.id), { token: adminToken })).headers["content-disposition"],
    ).toContain(".png");
  });

  it.each([
    ["HTML", "<html><script>alert(1)</script>"],
    ["a PDF with a leading space", ` ${PDF}`],
    ["an SVG", "<svg/>"],
    ["an empty file", ""],
  ])("cannot be %s", async (_, bytes) => {
    const payment = await makePayment((await makeUser()).id, { receiptKey: null });
    const { status, json } = await attachReceipt(payment.id, bytes);
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual(["file"]);
  });

  it("is limited to 5 MiB", async () => {
    const payment = await makePayment((await makeUser()).id, { receiptKey: null });
    const maximumFile = Buffer.alloc(5 * 1024 * 1024);
    maximumFile.write(PDF);
    expect((await attachReceipt(payment.id, maximumFile)).status).toBe(200);
    expect((await attachReceipt(payment.id, Buffer.concat([maximumFile, Buffer.from("x")]))).status).toBe(
      413,
    );
  });

  it("without a payment is deleted after an hour", async () => {
    const payment = await makePayment((await makeUser()).id);
    await storage().write(payment.receiptKey!, Readable.from([Buffer.from(PDF)]));
    await storage().write("receipts/left.pdf", Readable.from([Buffer.from(PDF)]));
    await sweepReceiptsJob();
    expect(await storage().read("receipts/left.pdf"), "the upload may still be running").toBeDefined();
    const changedAt = new Date(Date.now() - 7_200_000);
    for (const key of ["receipts/left.pdf", payment.receiptKey!])
      s3.bucket.files.get(key)!.changedAt = changedAt;
    await sweepReceiptsJob();
    expect(await storage().read("receipts/left.pdf")).toBe(undefined);
    expect(await storage().read(payment.receiptKey!)).toEqual(expect.anything());
  });
});

describe("lists", () => {
  it("search, filter, sort, paginate and export CSV", async () => {
    const user = await makeUser({ name: "=Ece", email: "Ece.Liste@example.com" });
    const first = await activate({
      user_id: user.id,
      amount: 100,
      bank_reference: "Havale-77",
      paid_at: null,
    });
    const second = await activate({ user_id: user.id, amount: "50.5", create_invoice: false });
    const licence = await makeLicence(user.id);
    const getIds = (rows: Array<{ id: number }>) => rows.map(({ id }) => id);
    const getList = async (path: string) => (await get(`/api/admin/${path}`, adminToken)).json;
    const userQuery = `user_id=${user.id}`;

    const paymentList = await getList(`payments?${userQuery}`);
    expect(getIds(paymentList.payments)).toEqual([second.payment.id, first.payment.id]);
    expect({ data: paymentList.data, count: paymentList.count, meta: paymentList.meta }).toEqual({
      data: paymentList.payments,
      count: 2,
      meta: { page: 1, per_page: 50, total: 2 },
    });
    expect(paymentList.payments[1].user).toEqual({ id: user.id, name: "=Ece", email: user.email });
    expect(getIds((await getList(`payments?${userQuery}&sort=amount`)).data)).toEqual([
      second.payment.id,
      first.payment.id,
    ]);
    expect(getIds((await getList(`payments?${userQuery}&invoice=skipped`)).data)).toEqual([
      second.payment.id,
    ]);
    expect(getIds((await getList("payments?q=ece.liste%20havale-77")).data)).toEqual([first.payment.id]);
    expect((await getList(`payments?${userQuery}&paid_to=2020-01-01`)).data).toEqual([]);
    expect((await getList(`payments?${userQuery}&per_page=1&page=2`)).data).toHaveLength(1);
    expect(
      getIds((await getList(`subscriptions?q=${first.subscription.reference.toLowerCase()}`)).data),
    ).toEqual([first.subscription.id]);
    expect(getIds((await getList(`subscriptions?${userQuery}&status=active&sort=ends_at`)).data)).toEqual([
      first.subscription.id,
      second.subscription.id,
    ]);
    expect(getIds((await getList(`licences?q=${licence.id}%20ece&status=pending`)).data)).toEqual([
      licence.id,
    ]);

    for (const [name, rowCount] of [
      ["payments", 2],
      ["subscriptions", 2],
      ["licences", 1],
    ] as const) {
      const { status, text } = await get(`/api/admin/${name}.csv?${userQuery}`, adminToken);
      expect(status).toBe(200);
      expect(text.trim().split("\r\n").length).toEqual(rowCount + 1);
      expect(text).toContain(`"'=Ece"`);
    }
  });

  it("export each row of a long list exactly once", async () => {
    const user = await makeUser();
    const licence = await makeLicence(user.id);
    await pool().query(
      `insert into payments (user_id, licence_id, amount_minor, paid_at, bill_to_sealed)
       select $1, $2, 100 + n % 7, '2026-01-01', '' from generate_series(1, 2500) n`,
      [user.id, licence.id],
    );
    const { text } = await get(`/api/admin/payments.csv?user_id=${user.id}&sort=-amount`, adminToken);
    const rows = text.trim().split("\r\n").slice(1);
    expect(rows.length).toBe(2500);
    expect(new Set(rows).size).toBe(2500);
  });

  it.each(["payments", "subscriptions", "licences"])("%s reject an unknown sort field", async (name) => {
    const wrongSortResponse = await get(`/api/admin/${name}?sort=secret`, adminToken);
    expect(wrongSortResponse.status).toBe(422);
    expect(Object.keys(wrongSortResponse.json.errors)).toEqual(["sort"]);
  });
});
