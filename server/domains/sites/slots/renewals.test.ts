import { beforeEach, describe, expect, it } from "vitest";
import { dayOf, endOfDay } from "@/server/core/calendar";
import { DAY, fromNow, HOUR } from "@/server/core/time";
import { remindBillingJob } from "@/server/domains/billing/subscriptions/jobs";
import { pool, prisma } from "@/server/infrastructure/database/client";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { makeReseller, makeSite, makeSubscription, makeToken, makeUser } from "@/server/testing/factories";
import { resetLimits } from "@/server/testing/limits";
import { mailsTo } from "@/server/testing/mailbox";
import { testServer } from "@/server/testing/server";
import { advanceLicencesJob } from "./jobs";

const server = await testServer();
beforeEach(() => resetLimits());

const inDays = (days: number) => endOfDay(dayOf(new Date()), { plus: days });

async function makeLicensedSite(data: Partial<Prisma.SiteLicenceUncheckedCreateInput> = {}) {
  const reseller = await makeUser({ role: "reseller", locale: "en" });
  await makeReseller(reseller.id);
  const site = await makeSite(reseller.id, { name: "Kaya Çay" });
  const licence = await prisma().siteLicence.create({
    data: {
      siteId: site.id,
      userId: reseller.id,
      priceTry: 3999,
      periodStart: fromNow(-300 * DAY),
      periodEnd: fromNow(65 * DAY),
      payBy: fromNow(-286 * DAY),
      ...data,
    },
  });
  return { reseller, site, licence };
}

const siteOf = (id: number) =>
  prisma().site.findUniqueOrThrow({ where: { id }, select: { isActive: true, suspendedReason: true } });
const licencesOf = (siteId: number) =>
  prisma().siteLicence.findMany({ where: { siteId }, orderBy: { id: "asc" } });
const runTwice = (job: () => Promise<void>) => Promise.all([job(), job()]);

const ON = { isActive: true, suspendedReason: null };
const OFF = { isActive: false, suspendedReason: "licence_unpaid" };

describe("licences over time", () => {
  it("reminds twice of a licence that is never paid, then suspends the site and keeps the debt", async () => {
    const { reseller, site, licence } = await makeLicensedSite();
    const events: unknown[] = [];
    let seenMails = 0;
    for (const days of [14, 13, 8, 7, 6, 2, 1, 0, -1, -2, -59, -60, -61, -62]) {
      const payBy = inDays(days);
      await prisma().siteLicence.update({ where: { id: licence.id }, data: { payBy, status: undefined } });
      await runTwice(remindBillingJob);
      await runTwice(advanceLicencesJob);
      const mails = await prisma().mailMessage.findMany({
        where: { userId: reseller.id },
        orderBy: { id: "asc" },
      });
      const { status } = (await licencesOf(site.id))[0]!;
      for (const { template } of mails.slice(seenMails)) events.push([days, template, status]);
      if (status === "cancelled") events.push([days, status]);
      seenMails = mails.length;
      expect(await siteOf(site.id)).toEqual(days < 0 ? OFF : ON);
    }
    expect(events).toEqual([
      [7, "licence_due", "pending"],
      [1, "licence_due", "pending"],
      [-1, "licence_suspended", "pending"],
    ]);
    expect(await licencesOf(site.id)).toMatchObject([{ status: "pending", closedReason: null }]);
    for (const { text } of await mailsTo(server, reseller.email)) {
      expect(text).toContain("Kaya Çay");
      expect(text).toContain(licence.reference);
      expect(text).toMatch(/TRY\s3,999\.00/);
      expect(text).toContain("ask our support team for the bank details");
    }
  });

  it("reminds and suspends again after a reversed payment", async () => {
    const { reseller, site, licence } = await makeLicensedSite({ payBy: inDays(7) });
    const token = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
    const runAt = async (days: number) => {
      await prisma().siteLicence.update({ where: { id: licence.id }, data: { payBy: inDays(days) } });
      await runTwice(remindBillingJob);
      await runTwice(advanceLicencesJob);
    };
    const mailCounts = async () => [
      (await mailsTo(server, reseller.email, "licence_due")).length,
      (await mailsTo(server, reseller.email, "licence_suspended")).length,
    ];
    for (const days of [7, 1, -1]) await runAt(days);
    expect(await siteOf(site.id)).toEqual(OFF);
    expect(await mailCounts()).toEqual([2, 1]);
    const paid = await server.post(`/api/admin/licences/${licence.id}/payment`, {}, { token });
    expect(paid.status).toBe(201);
    expect(await siteOf(site.id)).toEqual(ON);
    const body = { reason: "The bank took it back", confirmation: "REVERSE" };
    const path = `/api/admin/payments/${paid.json.payment.id}/reverse`;
    expect((await server.post(path, body, { token })).status).toBe(200);
    for (const days of [7, 1, -1]) await runAt(days);
    expect(await siteOf(site.id)).toEqual(OFF);
    expect(await mailCounts()).toEqual([4, 2]);
  });

  it("opens the next year of a paid licence once, reminds before it starts, and suspends the site if unpaid", async () => {
    const { reseller, site, licence } = await makeLicensedSite({
      status: "active",
      paidAt: fromNow(-290 * DAY),
    });
    const events: unknown[] = [];
    let seenMails = 0;
    for (const days of [31, 29, 8, 7, 2, 1, 0, -1, -2]) {
      const end = inDays(days);
      await pool().query(
        `update site_licences set period_end = period_end + ($2::timestamptz - old.end),
                period_start = period_start + ($2::timestamptz - old.end), pay_by = pay_by + ($2::timestamptz - old.end)
           from (select period_end as end from site_licences where id = $3) old where site_id = $1`,
        [site.id, end, licence.id],
      );
      await runTwice(advanceLicencesJob);
      await runTwice(remindBillingJob);
      const mails = await prisma().mailMessage.findMany({
        where: { userId: reseller.id },
        orderBy: { id: "asc" },
      });
      for (const { template } of mails.slice(seenMails)) events.push([days, template]);
      seenMails = mails.length;
      const years = await licencesOf(site.id);
      expect(years.map(({ status }) => status)).toEqual(
        days > 30 ? ["active"] : [days < 0 ? "expired" : "active", "pending"],
      );
      expect(await siteOf(site.id)).toEqual(days < 0 ? OFF : ON);
    }
    expect(events).toEqual([
      [29, "licence_ends"],
      [7, "licence_ends"],
      [1, "licence_ends"],
      [-1, "licence_suspended"],
    ]);
    const [old, next] = await licencesOf(site.id);
    expect(next!.periodStart).toEqual(old!.periodEnd);
    expect(next!.payBy).toEqual(old!.periodEnd);
    const mails = await mailsTo(server, reseller.email);
    for (const { text } of mails) expect(text).toContain(next!.reference);
  });

  it("sends no mail and no suspension when the next year is paid early", async () => {
    const { reseller, site, licence } = await makeLicensedSite({ status: "active", periodEnd: inDays(20) });
    await advanceLicencesJob();
    const [, next] = await licencesOf(site.id);
    await prisma().siteLicence.update({
      where: { id: next!.id },
      data: { status: "active", paidAt: new Date() },
    });
    await remindBillingJob();
    const end = fromNow(-DAY);
    await prisma().siteLicence.update({ where: { id: licence.id }, data: { periodEnd: end } });
    await prisma().siteLicence.update({ where: { id: next!.id }, data: { periodStart: end } });
    await runTwice(advanceLicencesJob);
    expect((await licencesOf(site.id)).map(({ status }) => status)).toEqual(["expired", "active"]);
    expect(await siteOf(site.id)).toEqual(ON);
    expect(await prisma().mailMessage.count({ where: { userId: reseller.id } })).toBe(0);
  });

  it("suspends a site between a reversed payment and the paid next year", async () => {
    const { reseller, site, licence } = await makeLicensedSite({ payBy: inDays(7) });
    const year = { periodStart: licence.periodEnd, periodEnd: fromNow(430 * DAY) };
    const next = await prisma().siteLicence.create({
      data: {
        ...year,
        siteId: site.id,
        userId: reseller.id,
        priceTry: 3999,
        payBy: licence.periodEnd,
        status: "active",
      },
    });
    await remindBillingJob();
    expect(await mailsTo(server, reseller.email, "licence_due")).toHaveLength(1);
    await prisma().siteLicence.update({ where: { id: licence.id }, data: { payBy: inDays(-1) } });
    await runTwice(advanceLicencesJob);
    expect(await siteOf(site.id)).toEqual(OFF);
    const activate = async () => {
      const token = await makeToken(reseller.id);
      return server.post(`/api/sites/${site.id}/activate`, { confirm_pay_per_site: true }, { token });
    };
    const refused = await activate();
    expect({ status: refused.status, reference: refused.json.reference }).toEqual({
      status: 402,
      reference: licence.reference,
    });
    await prisma().siteLicence.update({ where: { id: licence.id }, data: { periodEnd: fromNow(-HOUR) } });
    await prisma().siteLicence.update({ where: { id: next.id }, data: { periodStart: fromNow(-HOUR) } });
    expect((await activate()).json).toMatchObject({ billing: null, site: { is_active: true } });
    await runTwice(advanceLicencesJob);
    expect(await siteOf(site.id)).toEqual(ON);
  });

  it("opens no next year for a site that has a slot or is deleted", async () => {
    const inSlot = await makeLicensedSite({ status: "active", periodEnd: inDays(10) });
    const { id: subscriptionId } = await makeSubscription(inSlot.reseller.id);
    await prisma().site.update({ where: { id: inSlot.site.id }, data: { subscriptionId } });
    const gone = await makeLicensedSite({ status: "active", periodEnd: inDays(10) });
    await prisma().site.update({
      where: { id: gone.site.id },
      data: { isActive: false, suspendedReason: "owner", deletedAt: new Date() },
    });
    await advanceLicencesJob();
    for (const { site } of [inSlot, gone]) expect(await licencesOf(site.id)).toHaveLength(1);
    await prisma().siteLicence.updateMany({
      where: { siteId: inSlot.site.id },
      data: { periodEnd: fromNow(-DAY) },
    });
    await advanceLicencesJob();
    expect(await licencesOf(inSlot.site.id)).toMatchObject([{ status: "expired" }]);
    expect(await siteOf(inSlot.site.id)).toEqual(ON);
  });

  it("opens the next year again when the subscription that absorbed one is over", async () => {
    const { reseller, site, licence } = await makeLicensedSite({ status: "active", periodEnd: inDays(10) });
    const { id: absorbedById } = await makeSubscription(reseller.id);
    const { id: _, reference: __, periodEnd: periodStart, ...columns } = licence;
    const year = { periodStart, periodEnd: fromNow(380 * DAY), payBy: periodStart };
    const absorbed = { status: "absorbed", closedReason: "absorbed", absorbedById } as const;
    await prisma().siteLicence.create({ data: { ...columns, ...year, ...absorbed } });
    await runTwice(advanceLicencesJob);
    expect((await licencesOf(site.id)).map(({ status }) => status)).toEqual([
      "active",
      "absorbed",
      "pending",
    ]);
  });

  it("gives fourteen days to pay for the next year after a month without jobs", async () => {
    const { site } = await makeLicensedSite({ status: "active", periodEnd: fromNow(-3 * DAY) });
    await advanceLicencesJob();
    const [old, next] = await licencesOf(site.id);
    expect([old!.status, next!.status]).toEqual(["expired", "pending"]);
    expect(Math.round((next!.payBy.getTime() - Date.now()) / DAY)).toBe(14);
    expect(await siteOf(site.id)).toEqual(ON);
  });

  it.each([
    ["2024-02-29T10:00:00.000Z", "2025-02-28T10:00:00.000Z"],
    // Already 29 February in Turkey.
    ["2024-02-28T22:30:00.000Z", "2025-02-27T22:30:00.000Z"],
    ["2023-02-28T10:00:00.000Z", "2024-02-28T10:00:00.000Z"],
    ["2025-12-31T21:30:00.000Z", "2026-12-31T21:30:00.000Z"],
  ])("follows a licence ending at %s with one ending at %s", async (end, next) => {
    const periodEnd = new Date(end);
    const periodStart = new Date(periodEnd.getTime() - 300 * DAY);
    const { site } = await makeLicensedSite({ status: "active", periodStart, periodEnd });
    await advanceLicencesJob();
    expect((await licencesOf(site.id))[1]!.periodEnd.toISOString()).toBe(next);
  });

  it.each(["owner", "administrator"] as const)("keeps the suspension by an %s", async (reason) => {
    const { reseller, site } = await makeLicensedSite();
    await prisma().site.update({
      where: { id: site.id },
      data: { isActive: false, suspendedReason: reason },
    });
    await advanceLicencesJob();
    expect(await siteOf(site.id)).toEqual({ isActive: false, suspendedReason: reason });
    expect(await prisma().mailMessage.count({ where: { userId: reseller.id } })).toBe(0);
  });

  it("cancels a renewal that is unpaid for sixty days, and keeps the site suspended", async () => {
    const ended = fromNow(-61 * DAY);
    const { reseller, site } = await makeLicensedSite({
      status: "active",
      paidAt: fromNow(-426 * DAY),
      periodStart: fromNow(-426 * DAY),
      periodEnd: ended,
    });
    await prisma().siteLicence.create({
      data: {
        siteId: site.id,
        userId: reseller.id,
        priceTry: 3999,
        periodStart: ended,
        periodEnd: fromNow(304 * DAY),
        payBy: ended,
      },
    });
    await advanceLicencesJob();
    expect(await siteOf(site.id)).toEqual(OFF);
    expect(await licencesOf(site.id)).toMatchObject([
      { status: "expired" },
      { status: "cancelled", closedReason: "unpaid" },
    ]);
  });
});

it("has a constraint against two open licences of a site for the same time", async () => {
  const { site, reseller, licence } = await makeLicensedSite({ status: "active" });
  const { id: _, reference: __, ...columns } = licence;
  const open = (data: object) => prisma().siteLicence.create({ data: { ...columns, ...data } });
  await expect(open({ status: "pending" })).rejects.toThrow(/site_licences_open_periods/);
  await expect(open({ periodStart: fromNow(64 * DAY), periodEnd: fromNow(400 * DAY) })).rejects.toThrow();
  await open({ status: "expired" });
  await open({ status: "pending", periodStart: licence.periodEnd, periodEnd: fromNow(430 * DAY) });
  expect(await prisma().siteLicence.count({ where: { siteId: site.id, userId: reseller.id } })).toBe(3);
});

it("tells a customer once that their reseller did not pay the site's licence", async () => {
  const { reseller, site, licence } = await makeLicensedSite({ payBy: fromNow(-DAY) });
  const customer = await makeUser({ resellerId: reseller.id, locale: "en" });
  await prisma().site.update({ where: { id: site.id }, data: { userId: customer.id } });
  await runTwice(advanceLicencesJob);
  expect(await siteOf(site.id)).toEqual(OFF);
  const mails = await mailsTo(server, customer.email, "site_unpaid");
  expect(mails).toHaveLength(1);
  expect(mails[0]!.text).toContain(`Please contact ${reseller.name} (${reseller.email})`);
  // Amount and reference concern the reseller only.
  expect(mails[0]!.text).not.toContain(licence.reference);
  expect(await mailsTo(server, reseller.email, "licence_suspended")).toHaveLength(1);
});
