import { beforeEach, describe, expect, it } from "vitest";
import { getEndOfDay, toTurkishDay } from "@/server/core/calendar";
import { DAY, fromNow, HOUR } from "@/server/core/time";
import { remindBillingJob } from "@/server/domains/billing/subscriptions/jobs";
import { pool, prisma } from "@/server/infrastructure/database/client";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { makeReseller, makeSite, makeSubscription, makeToken, makeUser } from "@/server/testing/factories";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";
import { toTextPattern } from "@/server/testing/texts";
import { advanceLicencesJob } from "./jobs";

const server = await startTestServer();
beforeEach(() => resetRateLimits());

const endOfDayIn = (days: number) => getEndOfDay(toTurkishDay(new Date()), { plusDays: days });

async function makeLicensedSite(licenceData: Partial<Prisma.SiteLicenceUncheckedCreateInput> = {}) {
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
      ...licenceData,
    },
  });
  return { reseller, site, licence };
}

const findSiteState = (id: number) =>
  prisma().site.findUniqueOrThrow({ where: { id }, select: { isActive: true, suspendedReason: true } });
const listLicences = (siteId: number) =>
  prisma().siteLicence.findMany({ where: { siteId }, orderBy: { id: "asc" } });
const runTwice = (job: () => Promise<void>) => Promise.all([job(), job()]);

const ACTIVE = { isActive: true, suspendedReason: null };
const SUSPENDED = { isActive: false, suspendedReason: "licence_unpaid" };

describe("licences over time", () => {
  it("that are never paid get three reminders; then the site is suspended and the debt stays", async () => {
    const { reseller, site, licence } = await makeLicensedSite();
    const events: unknown[] = [];
    let seenMailCount = 0;
    for (const days of [14, 13, 8, 7, 6, 3, 2, 1, 0, -1, -2, -59, -60, -61, -62]) {
      const payBy = endOfDayIn(days);
      await prisma().siteLicence.update({ where: { id: licence.id }, data: { payBy, status: undefined } });
      await runTwice(remindBillingJob);
      await runTwice(advanceLicencesJob);
      const mails = await prisma().mailMessage.findMany({
        where: { userId: reseller.id },
        orderBy: { id: "asc" },
      });
      const { status } = (await listLicences(site.id))[0]!;
      for (const { template } of mails.slice(seenMailCount)) events.push([days, template, status]);
      if (status === "cancelled") events.push([days, status]);
      seenMailCount = mails.length;
      expect(await findSiteState(site.id)).toEqual(days < 0 ? SUSPENDED : ACTIVE);
    }
    expect(events).toEqual([
      [7, "licence_due", "pending"],
      [3, "licence_due", "pending"],
      [1, "licence_due", "pending"],
      [-1, "licence_suspended", "pending"],
    ]);
    expect(await listLicences(site.id)).toMatchObject([{ status: "pending", closedReason: null }]);
    for (const { text } of await deliverAndReadMails(server, reseller.email)) {
      expect(text).toContain("Kaya Çay");
      expect(text).toContain(licence.reference);
      expect(text).toMatch(/TRY\s3,999\.00/);
      expect(text).toMatch(toTextPattern("mail.transferUnknown", { reference: licence.reference }));
    }
  });

  it("lead to new reminders and a new suspension after a payment was reversed", async () => {
    const { reseller, site, licence } = await makeLicensedSite({ payBy: endOfDayIn(7) });
    const token = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
    const runJobsAt = async (days: number) => {
      await prisma().siteLicence.update({ where: { id: licence.id }, data: { payBy: endOfDayIn(days) } });
      await runTwice(remindBillingJob);
      await runTwice(advanceLicencesJob);
    };
    const countLicenceMails = async () => [
      (await deliverAndReadMails(server, reseller.email, "licence_due")).length,
      (await deliverAndReadMails(server, reseller.email, "licence_suspended")).length,
    ];
    for (const days of [7, 1, -1]) await runJobsAt(days);
    expect(await findSiteState(site.id)).toEqual(SUSPENDED);
    expect(await countLicenceMails()).toEqual([2, 1]);
    const payment = await server.post(`/api/admin/licences/${licence.id}/payment`, {}, { token });
    expect(payment.status).toBe(201);
    expect(await findSiteState(site.id)).toEqual(ACTIVE);
    const body = { reason: "The bank took it back", confirmation: "REVERSE" };
    const path = `/api/admin/payments/${payment.json.payment.id}/reverse`;
    expect((await server.post(path, body, { token })).status).toBe(200);
    for (const days of [7, 1, -1]) await runJobsAt(days);
    expect(await findSiteState(site.id)).toEqual(SUSPENDED);
    expect(await countLicenceMails()).toEqual([4, 2]);
  });

  it("get their next year once, with reminders before it starts and a suspension if it stays unpaid", async () => {
    const { reseller, site, licence } = await makeLicensedSite({
      status: "active",
      paidAt: fromNow(-290 * DAY),
    });
    const events: unknown[] = [];
    let seenMailCount = 0;
    for (const days of [31, 29, 15, 14, 8, 7, 3, 2, 1, 0, -1, -2]) {
      const newPeriodEnd = endOfDayIn(days);
      await pool().query(
        `update site_licences set period_end = period_end + ($2::timestamptz - old.end),
                period_start = period_start + ($2::timestamptz - old.end), pay_by = pay_by + ($2::timestamptz - old.end)
           from (select period_end as end from site_licences where id = $3) old where site_id = $1`,
        [site.id, newPeriodEnd, licence.id],
      );
      await runTwice(advanceLicencesJob);
      await runTwice(remindBillingJob);
      const mails = await prisma().mailMessage.findMany({
        where: { userId: reseller.id },
        orderBy: { id: "asc" },
      });
      for (const { template } of mails.slice(seenMailCount)) events.push([days, template]);
      seenMailCount = mails.length;
      const licences = await listLicences(site.id);
      expect(licences.map(({ status }) => status)).toEqual(
        days > 30 ? ["active"] : [days < 0 ? "expired" : "active", "pending"],
      );
      expect(await findSiteState(site.id)).toEqual(days < 0 ? SUSPENDED : ACTIVE);
    }
    expect(events).toEqual([
      [29, "licence_ends"],
      [14, "licence_ends"],
      [7, "licence_ends"],
      [3, "licence_ends"],
      [1, "licence_ends"],
      [-1, "licence_suspended"],
    ]);
    const [oldLicence, nextLicence] = await listLicences(site.id);
    expect(nextLicence!.periodStart).toEqual(oldLicence!.periodEnd);
    expect(nextLicence!.payBy).toEqual(oldLicence!.periodEnd);
    const mails = await deliverAndReadMails(server, reseller.email);
    for (const { text } of mails) expect(text).toContain(nextLicence!.reference);
  });

  it("cause no mail and no suspension when the next year is paid early", async () => {
    const { reseller, site, licence } = await makeLicensedSite({
      status: "active",
      periodEnd: endOfDayIn(20),
    });
    await advanceLicencesJob();
    const [, nextLicence] = await listLicences(site.id);
    await prisma().siteLicence.update({
      where: { id: nextLicence!.id },
      data: { status: "active", paidAt: new Date() },
    });
    await remindBillingJob();
    const oldPeriodEnd = fromNow(-DAY);
    await prisma().siteLicence.update({ where: { id: licence.id }, data: { periodEnd: oldPeriodEnd } });
    await prisma().siteLicence.update({
      where: { id: nextLicence!.id },
      data: { periodStart: oldPeriodEnd },
    });
    await runTwice(advanceLicencesJob);
    expect((await listLicences(site.id)).map(({ status }) => status)).toEqual(["expired", "active"]);
    expect(await findSiteState(site.id)).toEqual(ACTIVE);
    expect(await prisma().mailMessage.count({ where: { userId: reseller.id } })).toBe(0);
  });

  it("leave the site suspended from a reversed payment until the paid next year begins", async () => {
    const { reseller, site, licence } = await makeLicensedSite({ payBy: endOfDayIn(7) });
    const nextYear = { periodStart: licence.periodEnd, periodEnd: fromNow(430 * DAY) };
    const nextLicence = await prisma().siteLicence.create({
      data: {
        ...nextYear,
        siteId: site.id,
        userId: reseller.id,
        priceTry: 3999,
        payBy: licence.periodEnd,
        status: "active",
      },
    });
    await remindBillingJob();
    expect(await deliverAndReadMails(server, reseller.email, "licence_due")).toHaveLength(1);
    await prisma().siteLicence.update({ where: { id: licence.id }, data: { payBy: endOfDayIn(-1) } });
    await runTwice(advanceLicencesJob);
    expect(await findSiteState(site.id)).toEqual(SUSPENDED);
    const activate = async () => {
      const token = await makeToken(reseller.id);
      return server.post(`/api/sites/${site.id}/activate`, { confirm_pay_per_site: true }, { token });
    };
    const refusal = await activate();
    expect({ status: refusal.status, reference: refusal.json.reference }).toEqual({
      status: 402,
      reference: licence.reference,
    });
    await prisma().siteLicence.update({ where: { id: licence.id }, data: { periodEnd: fromNow(-HOUR) } });
    await prisma().siteLicence.update({
      where: { id: nextLicence.id },
      data: { periodStart: fromNow(-HOUR) },
    });
    expect((await activate()).json).toMatchObject({ billing: null, site: { is_active: true } });
    await runTwice(advanceLicencesJob);
    expect(await findSiteState(site.id)).toEqual(ACTIVE);
  });

  it("get no next year when the site has a slot or is deleted", async () => {
    const slotSite = await makeLicensedSite({ status: "active", periodEnd: endOfDayIn(10) });
    const { id: subscriptionId } = await makeSubscription(slotSite.reseller.id);
    await prisma().site.update({ where: { id: slotSite.site.id }, data: { subscriptionId } });
    const deletedSite = await makeLicensedSite({ status: "active", periodEnd: endOfDayIn(10) });
    await prisma().site.update({
      where: { id: deletedSite.site.id },
      data: { isActive: false, suspendedReason: "owner", deletedAt: new Date() },
    });
    await advanceLicencesJob();
    for (const { site } of [slotSite, deletedSite]) expect(await listLicences(site.id)).toHaveLength(1);
    await prisma().siteLicence.updateMany({
      where: { siteId: slotSite.site.id },
      data: { periodEnd: fromNow(-DAY) },
    });
    await advanceLicencesJob();
    expect(await listLicences(slotSite.site.id)).toMatchObject([{ status: "expired" }]);
    expect(await findSiteState(slotSite.site.id)).toEqual(ACTIVE);
  });

  it("get their next year again after the subscription that absorbed it has ended", async () => {
    const { reseller, site, licence } = await makeLicensedSite({
      status: "active",
      periodEnd: endOfDayIn(10),
    });
    const { id: absorbedById } = await makeSubscription(reseller.id);
    const { id: _, reference: __, periodEnd: periodStart, ...columns } = licence;
    const nextYear = { periodStart, periodEnd: fromNow(380 * DAY), payBy: periodStart };
    const absorption = { status: "absorbed", closedReason: "absorbed", absorbedById } as const;
    await prisma().siteLicence.create({ data: { ...columns, ...nextYear, ...absorption } });
    await runTwice(advanceLicencesJob);
    expect((await listLicences(site.id)).map(({ status }) => status)).toEqual([
      "active",
      "absorbed",
      "pending",
    ]);
  });

  it("leave fourteen days to pay for the next year when jobs ran late", async () => {
    const { site } = await makeLicensedSite({ status: "active", periodEnd: fromNow(-3 * DAY) });
    await advanceLicencesJob();
    const [oldLicence, nextLicence] = await listLicences(site.id);
    expect([oldLicence!.status, nextLicence!.status]).toEqual(["expired", "pending"]);
    expect(Math.round((nextLicence!.payBy.getTime() - Date.now()) / DAY)).toBe(14);
    expect(await findSiteState(site.id)).toEqual(ACTIVE);
  });

  it.each([
    ["2024-02-29T10:00:00.000Z", "2025-02-28T10:00:00.000Z"],
    // Already 29 February in Turkey.
    ["2024-02-28T22:30:00.000Z", "2025-02-27T22:30:00.000Z"],
    ["2023-02-28T10:00:00.000Z", "2024-02-28T10:00:00.000Z"],
    ["2025-12-31T21:30:00.000Z", "2026-12-31T21:30:00.000Z"],
  ])("that end at %s are followed by ones that end at %s", async (periodEndText, nextPeriodEndText) => {
    const periodEnd = new Date(periodEndText);
    const periodStart = new Date(periodEnd.getTime() - 300 * DAY);
    const { site } = await makeLicensedSite({ status: "active", periodStart, periodEnd });
    await advanceLicencesJob();
    expect((await listLicences(site.id))[1]!.periodEnd.toISOString()).toBe(nextPeriodEndText);
  });

  it.each(["owner", "administrator"] as const)("do not replace a suspension by an %s", async (reason) => {
    const { reseller, site } = await makeLicensedSite();
    await prisma().site.update({
      where: { id: site.id },
      data: { isActive: false, suspendedReason: reason },
    });
    await advanceLicencesJob();
    expect(await findSiteState(site.id)).toEqual({ isActive: false, suspendedReason: reason });
    expect(await prisma().mailMessage.count({ where: { userId: reseller.id } })).toBe(0);
  });

  it("are cancelled when a renewal is unpaid for sixty days; the site stays suspended", async () => {
    const endedAt = fromNow(-61 * DAY);
    const { reseller, site } = await makeLicensedSite({
      status: "active",
      paidAt: fromNow(-426 * DAY),
      periodStart: fromNow(-426 * DAY),
      periodEnd: endedAt,
    });
    await prisma().siteLicence.create({
      data: {
        siteId: site.id,
        userId: reseller.id,
        priceTry: 3999,
        periodStart: endedAt,
        periodEnd: fromNow(304 * DAY),
        payBy: endedAt,
      },
    });
    await advanceLicencesJob();
    expect(await findSiteState(site.id)).toEqual(SUSPENDED);
    expect(await listLicences(site.id)).toMatchObject([
      { status: "expired" },
      { status: "cancelled", closedReason: "unpaid" },
    ]);
  });
});

it("the database rejects two open licences of a site for the same time", async () => {
  const { site, reseller, licence } = await makeLicensedSite({ status: "active" });
  const { id: _, reference: __, ...columns } = licence;
  const createLicence = (data: object) => prisma().siteLicence.create({ data: { ...columns, ...data } });
  await expect(createLicence({ status: "pending" })).rejects.toThrow(/site_licences_open_periods/);
  await expect(
    createLicence({ periodStart: fromNow(64 * DAY), periodEnd: fromNow(400 * DAY) }),
  ).rejects.toThrow();
  await createLicence({ status: "expired" });
  await createLicence({ status: "pending", periodStart: licence.periodEnd, periodEnd: fromNow(430 * DAY) });
  expect(await prisma().siteLicence.count({ where: { siteId: site.id, userId: reseller.id } })).toBe(3);
});

it("a customer gets one mail when their reseller did not pay the licence of the site", async () => {
  const { reseller, site, licence } = await makeLicensedSite({ payBy: fromNow(-DAY) });
  const customer = await makeUser({ resellerId: reseller.id, locale: "en" });
  await prisma().site.update({ where: { id: site.id }, data: { userId: customer.id } });
  await runTwice(advanceLicencesJob);
  expect(await findSiteState(site.id)).toEqual(SUSPENDED);
  const mails = await deliverAndReadMails(server, customer.email, "site_unpaid");
  expect(mails).toHaveLength(1);
  expect(mails[0]!.text).toContain(`${reseller.name} (${reseller.email})`);
  // Amount and reference concern the reseller only.
  expect(mails[0]!.text).not.toContain(licence.reference);
  expect(await deliverAndReadMails(server, reseller.email, "licence_suspended")).toHaveLength(1);
});
