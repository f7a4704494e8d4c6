import { describe, expect, it } from "vitest";
import { formatText } from "@/server/core/texts";
import { prisma } from "@/server/infrastructure/database/client";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeReseller, makeToken, makeUser } from "@/server/testing/factories";
import { buildRegistrationBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";

const { call, get, post } = await startTestServer();

async function makeResellerAccount() {
  const { id } = await makeUser({ role: "reseller" });
  await makeReseller(id);
  return { id, token: await makeToken(id) };
}
type ResellerAccount = Awaited<ReturnType<typeof makeResellerAccount>>;
const putReferral = ({ token }: ResellerAccount, body: object) =>
  call("PUT", "/api/reseller/referral", { token, body });
const searchListing = async (q?: string) =>
  (await get(`/api/public/referral-resellers${q === undefined ? "" : `?q=${encodeURIComponent(q)}`}`)).json;

describe("the referral programme", () => {
  it("lists members who agreed to be found, with exactly three fields", async () => {
    const [arslan, isil, unlistedMember, deactivatedMember] = [
      await makeResellerAccount(),
      await makeResellerAccount(),
      await makeResellerAccount(),
      await makeResellerAccount(),
    ];
    const publicListing = { joined: true, public: true };
    const arslanFields = { code: "arslan34", display_name: "Şule Ajans", city: "İstanbul" };
    expect((await putReferral(arslan, { ...publicListing, ...arslanFields })).status).toBe(200);
    await putReferral(isil, { ...publicListing, code: "ISIL06", display_name: "Işıl Medya", city: "Ankara" });
    await putReferral(unlistedMember, { joined: true, display_name: "Gizli", city: "Ankara" });
    await putReferral(deactivatedMember, { ...publicListing, display_name: "Pasif", city: "Ankara" });
    await prisma().user.update({ where: { id: deactivatedMember.id }, data: { isActive: false } });
    const isilListing = { display_name: "Işıl Medya", city: "Ankara", code: "ISIL06" };
    const arslanListing = { display_name: "Şule Ajans", city: "İstanbul", code: "ARSLAN34" };
    for (const q of [undefined, ""])
      expect(await searchListing(q)).toEqual({ data: [isilListing, arslanListing] });
    for (const q of ["IŞIL", "işıl medya", "isil06", "ANKARA"])
      expect(await searchListing(q), q).toEqual({ data: [isilListing] });
    for (const q of ["istanbul", "ISTANBUL", "sule", "arslan34"])
      expect(await searchListing(q), q).toEqual({ data: [arslanListing] });
    for (const q of ["%%", "__", "gizli", "pasif"]) expect(await searchListing(q), q).toEqual({ data: [] });
    for (const q of ["a", " a "]) expect(Object.keys((await searchListing(q)).errors), q).toEqual(["q"]);
    await prisma().reseller.update({ where: { userId: isil.id }, data: { agreementSignedAt: null } });
    expect(await searchListing()).toEqual({ data: [arslanListing] });

    const { status, json } = await post(
      "/api/auth/register",
      buildRegistrationBody({ referral_code: "arslan34" }),
    );
    expect(status).toBe(201);
    expect((await prisma().user.findUniqueOrThrow({ where: { id: json.user.id } })).resellerId).toBe(
      arslan.id,
    );
    const { referral } = (await get("/api/reseller/referral", arslan.token)).json;
    expect(referral.months.length).toBe(12);
    expect(referral.months.at(-1).sign_ups).toBe(1);
    expect(referral.link).toMatch(/\/sign-up\?ref=ARSLAN34$/);

    expect((await putReferral(arslan, { joined: false })).json.referral).toMatchObject({
      joined_at: null,
      public: false,
      code: "ARSLAN34",
    });
    expect(await searchListing()).toEqual({ data: [] });
  });

  it("rejects invalid and taken codes and a listing without a name", async () => {
    const reseller = await makeResellerAccount();
    for (const code of ["İSTANBUL", "abc", "x".repeat(17), "a b c d", "ABCD-1"])
      expect(Object.keys((await putReferral(reseller, { code })).json.errors), code).toEqual(["code"]);
    const malformedRequest = {
      token: reseller.token,
      headers: { "accept-language": "tr" },
      body: { code: ["ABCD"] },
    };
    const { errors } = (await call("PUT", "/api/reseller/referral", malformedRequest)).json;
    expect(errors.code[0]).toContain(formatText("tr", "validation.attributes.referral_code"));
    expect(Object.keys((await putReferral(reseller, { public: true })).json.errors)).toEqual(["public"]);
    expect(Object.keys((await putReferral(reseller, { joined: true, public: true })).json.errors)).toEqual([
      "display_name",
    ]);
    const resellers = await Promise.all(Array.from({ length: 12 }, makeResellerAccount));
    const responses = await runConcurrently(12, (index) =>
      putReferral(resellers[index]!, { code: "WANTED" }),
    );
    expect(countByStatus(responses)).toEqual({ 200: 1, 422: 11 });
    for (const otherToken of [
      await makeToken((await makeUser()).id),
      await makeToken((await makeUser({ role: "admin" })).id),
    ])
      expect((await get("/api/reseller/referral", otherToken)).json).toEqual({
        message: "This action is unauthorized.",
      });
  });
});

describe("earnings", () => {
  it("are recorded and reversed with a payment, for members only", async () => {
    const adminToken = await makeToken((await makeUser({ role: "admin" })).id, { provenAt: new Date() });
    expect(
      (await call("PUT", "/api/admin/settings", { token: adminToken, body: { referral_rate: 10 } })).status,
    ).toBe(200);
    const plan = await prisma().subscriptionPlan.findFirstOrThrow({ where: { slug: "pro" } });
    const [reseller, nonMember] = [await makeResellerAccount(), await makeResellerAccount()];
    await putReferral(reseller, { joined: true });
    const [customer, customerOfNonMember, userWithoutReseller] = [
      await makeUser({ resellerId: reseller.id }),
      await makeUser({ resellerId: nonMember.id }),
      await makeUser(),
    ];
    const payForPlan = async (userId: number) => {
      const body = { user_id: userId, plan_id: plan.id, amount: "1200.07", send_email: false };
      const activationResponse = await post("/api/admin/subscriptions/manual-activate", body, {
        token: adminToken,
      });
      expect(activationResponse.status, activationResponse.text).toBe(201);
      return activationResponse.json.payment.id as number;
    };
    const paymentId = await payForPlan(customer.id);
    for (const { id } of [customerOfNonMember, userWithoutReseller]) await payForPlan(id);
    const previewBody = { user_id: customer.id, plan_id: plan.id, amount: "5000" };
    await post("/api/admin/subscriptions/manual-activate/preview", previewBody, { token: adminToken });
    const readEarnings = async ({ token }: ResellerAccount) =>
      (await get("/api/reseller/referral", token)).json.referral.earnings;
    // 1,200.07 includes 20 % VAT: 1,000.06 without, and a tenth of it rounded down.
    expect(await readEarnings(reseller)).toEqual([
      expect.objectContaining({ amount: 100, currency: "TRY", rate_percent: 10, state: "earned" }),
    ]);
    expect(await readEarnings(nonMember)).toEqual([]);
    const reversalBody = { reason: "Sent twice", confirmation: "REVERSE" };
    const responses = await runConcurrently(5, () =>
      post(`/api/admin/payments/${paymentId}/reverse`, reversalBody, { token: adminToken }),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await readEarnings(reseller)).toEqual([
      expect.objectContaining({ amount: 100, state: "void", paid_out: false }),
    ]);
  });
});

it("reports whether a code is available, in any case, including the caller's own", async () => {
  const [{ id }, otherReseller] = [
    await makeUser({ role: "reseller" }),
    await makeUser({ role: "reseller" }),
  ];
  await makeReseller(id, { code: "MINE2026" });
  await makeReseller(otherReseller.id, { code: "THEIRS26" });
  const token = await makeToken(id);
  const checkCode = (code: string) =>
    get(`/api/reseller/referral/code?code=${encodeURIComponent(code)}`, token);
  for (const [code, free] of [
    ["mine2026", true],
    ["theirs26", false],
    ["NOBODYS1", true],
  ] as const)
    expect((await checkCode(code)).json).toEqual({ success: true, free });
  for (const code of ["İSTANBUL", "abc", "%"]) expect((await checkCode(code)).status).toBe(422);
});
