import { describe, expect, it } from "vitest";
import { createSystemContext } from "@/server/core/context";
import { prisma } from "@/server/infrastructure/database/client";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeReseller, makeToken, makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";
import { publishAgreement } from "./service/publish-text";
import { eraseSignatures, verifySignatures } from "./service/signature-chain";

const { get, post } = await startTestServer();

async function makeResellerAccount(name = "Selin Arslan", { row = true } = {}) {
  const { id } = await makeUser({ role: "reseller", name });
  if (row) await makeReseller(id, { signed: false });
  return { id, token: await makeToken(id, { provenAt: new Date() }) };
}
type ResellerAccount = Awaited<ReturnType<typeof makeResellerAccount>>;
const readAgreement = async ({ token }: ResellerAccount) =>
  (await get("/api/reseller/agreement", token)).json.agreement;
const signAgreement = ({ token }: ResellerAccount, body: object = {}, version = "0") =>
  post(
    "/api/reseller/agreement",
    { version, typed_name: "selin  ARSLAN", accepted: true, ...body },
    { token },
  );
const verifyChain = () => inTransaction(verifySignatures);

describe("the reseller agreement", () => {
  it("can be read unsigned, is signed once and enables the reseller operations", async () => {
    const reseller = await makeResellerAccount(undefined, { row: false });
    const unsignedAgreement = await readAgreement(reseller);
    expect(unsignedAgreement).toMatchObject({
      version: "0",
      signed: false,
      due: true,
      due_by: null,
      signatures: [],
      changes: null,
    });
    expect((await get("/api/reseller/customers", reseller.token)).status).toBe(403);
    const { status, json } = await signAgreement(reseller);
    expect({ status, signed: json.agreement.signed, due: json.agreement.due }).toEqual({
      status: 201,
      signed: true,
      due: false,
    });
    expect(json.agreement.signatures).toEqual([
      expect.objectContaining({
        version: "0",
        typed_name: "selin  ARSLAN",
        text_hash: unsignedAgreement.text_hash,
        ip: expect.stringMatching(/^10\./),
      }),
    ]);
    expect((await get("/api/reseller/customers", reseller.token)).status).toBe(200);
    expect((await signAgreement(reseller)).json.agreement.signatures, "again").toHaveLength(1);
    const { referralCode } = await prisma().reseller.findUniqueOrThrow({ where: { userId: reseller.id } });
    expect(referralCode).toMatch(/^[A-Z0-9]{4,16}$/);
  });

  it("gives the signer another referral code when the default one is taken", async () => {
    const [otherReseller, reseller] = [
      await makeResellerAccount(),
      await makeResellerAccount(undefined, { row: false }),
    ];
    const defaultCode = `R${reseller.id.toString(36).toUpperCase().padStart(5, "0")}`;
    await prisma().reseller.update({
      where: { userId: otherReseller.id },
      data: { referralCode: defaultCode },
    });
    const { status, json } = await signAgreement(reseller);
    expect({ status, signed: json.agreement.signed }).toEqual({ status: 201, signed: true });
    const { referralCode } = await prisma().reseller.findUniqueOrThrow({ where: { userId: reseller.id } });
    expect(referralCode).toMatch(/^[A-Z0-9]{4,16}$/);
    expect(referralCode).not.toBe(defaultCode);
  });

  it("needs the account's name, consent, a recent proof and a reseller's session", async () => {
    const reseller = await makeResellerAccount();
    for (const [body, field] of [
      [{ typed_name: "Selin" }, "typed_name"],
      [{ accepted: false }, "accepted"],
      [{ version: "9" }, "version"],
    ] as const)
      expect(Object.keys((await signAgreement(reseller, body)).json.errors)).toEqual([field]);
    const resellerWithoutProof = { ...reseller, token: await makeToken(reseller.id) };
    expect((await signAgreement(resellerWithoutProof)).json.requires_identity).toBe(true);
    const apiKey = await makeToken(reseller.id, { provenAt: new Date() });
    await prisma().accessToken.updateMany({
      where: { userId: reseller.id, lastFour: apiKey.slice(-4) },
      data: { kind: "api_key" },
    });
    expect((await signAgreement({ ...reseller, token: apiKey })).status).toBe(403);
    const customer = { id: 0, token: await makeToken((await makeUser()).id, { provenAt: new Date() }) };
    expect((await signAgreement(customer)).json).toEqual({ message: "This action is unauthorized." });
    expect(await prisma().agreementSignature.count({ where: { resellerId: reseller.id } })).toBe(0);
  });

  it("is signed once per reseller by concurrent calls", async () => {
    const resellers = [await makeResellerAccount(), await makeResellerAccount()];
    const responses = await runConcurrently(18, (index) => signAgreement(resellers[index % 2]!));
    expect(countByStatus(responses)).toEqual({ 201: 18 });
    for (const { id } of resellers)
      expect(await prisma().agreementSignature.count({ where: { resellerId: id } })).toBe(1);
    expect((await verifyChain()).broken).toBeUndefined();
  });

  it("accepts signatures of the previous text until the new one is required", async () => {
    const [reseller, lateSigner] = [await makeResellerAccount(), await makeResellerAccount()];
    await signAgreement(reseller);
    const { body } = await readAgreement(reseller);
    await publishAgreement({ version: "2027-01", bodies: { tr: `${body}\n\n9. Yeni madde.` }, days: 14 });
    expect((await signAgreement(lateSigner)).json.errors, "published in between").toHaveProperty("version");
    const agreement = await readAgreement(reseller);
    expect(agreement).toMatchObject({
      version: "2027-01",
      locale: "tr",
      signed: true,
      due: true,
      due_by: expect.any(String),
    });
    expect(agreement.changes.filter(({ kind }: { kind: string }) => kind === "added").at(-1).text).toBe(
      "9. Yeni madde.",
    );
    expect((await get("/api/reseller/customers", reseller.token)).status).toBe(200);
    await prisma().legalText.updateMany({ data: { requiredFrom: new Date() } });
    expect((await get("/api/reseller/customers", reseller.token)).status).toBe(403);
    expect((await signAgreement(reseller, {}, "2027-01")).json.agreement.signatures).toHaveLength(2);
    expect((await get("/api/reseller/customers", reseller.token)).status).toBe(200);
    const invalidPublications: Array<[string, Record<string, string>]> = [
      ["2027-01", { tr: "x" }],
      ["0", { tr: "x" }],
      ["2027-02", { en: "x" }],
    ];
    for (const [version, bodies] of invalidPublications)
      await expect(publishAgreement({ version, bodies, days: 0 })).rejects.toThrow();
  });

  it("reports signatures that were altered, removed or cut off", async () => {
    await signAgreement(await makeResellerAccount(), {}, "2027-01");
    const rows = await prisma().agreementSignature.findMany({ orderBy: { id: "asc" } });
    const [firstRow, lastRow] = [rows[0]!, rows.at(-1)!];
    expect((await verifyChain()).checked).toBe(rows.length);
    await prisma().agreementSignature.update({ where: { id: firstRow.id }, data: { typedName: "Başkası" } });
    expect((await verifyChain()).broken).toEqual({ id: firstRow.id, reason: "altered" });
    await prisma().agreementSignature.update({
      where: { id: firstRow.id },
      data: { typedName: firstRow.typedName },
    });
    await prisma().agreementSignature.delete({ where: { id: firstRow.id } });
    expect((await verifyChain()).broken).toEqual({ id: rows[1]!.id, reason: "removed_before" });
    await prisma().agreementSignature.create({ data: firstRow });
    await prisma().agreementSignature.delete({ where: { id: lastRow.id } });
    expect((await verifyChain()).broken).toEqual({ id: rows.at(-2)!.id, reason: "cut_off" });
    await prisma().agreementSignature.create({ data: lastRow });
    expect(await verifyChain()).toMatchObject({ checked: rows.length, broken: undefined });
    await inTransaction((tx) => eraseSignatures(createSystemContext(tx), firstRow.resellerId));
    expect(await prisma().agreementSignature.count({ where: { resellerId: firstRow.resellerId } })).toBe(0);
    expect(await verifyChain(), "erased").toMatchObject({ checked: rows.length, broken: undefined });
    const { count } = await prisma().agreementHead.findUniqueOrThrow({ where: { id: 1 } });
    await prisma().agreementHead.update({ where: { id: 1 }, data: { count: count - 1 } });
    expect((await verifyChain()).broken?.reason).toBe("head_forged");
    await prisma().agreementHead.deleteMany();
    expect((await verifyChain()).broken?.reason).toBe("head_removed");
  });
});
