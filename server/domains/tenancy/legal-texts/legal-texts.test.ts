import { describe, expect, it } from "vitest";
import { LOCALES } from "@/server/core/locale";
import { CONSENT_VERSIONS, CONSENTS } from "@/server/domains/accounts/consents/contract";
import { getPublishedTexts } from "@/server/domains/accounts/consents/service/texts";
import { prisma } from "@/server/infrastructure/database/client";
import { hashSecret } from "@/server/infrastructure/secrets/tokens";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeProvenUser } from "@/server/testing/factories";
import { buildRegistrationBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";
import { LEGAL_TEXTS } from "./policy";

const { call, get, post } = await startTestServer();
const { token, ...administrator } = await makeProvenUser({ role: "admin" });

const TURKISH = "1. Konu\n\n2. Yeni koşul";
const ENGLISH = "1. Subject\n\n2. A new term";
const readText = async (key: string) => (await get(`/api/admin/legal-texts/${key}`, token)).json.text;
const publishText = (key: string, body: object) => post(`/api/admin/legal-texts/${key}`, body, { token });

async function signUp(email: string): Promise<string> {
  const { status, json } = await post("/api/auth/register", buildRegistrationBody({ email }));
  expect(status).toBe(201);
  return json.token;
}
const readConsents = async (personToken: string) => (await get("/api/profile/consents", personToken)).json;

describe("legal texts", () => {
  it("are the shipped ones until an administrator publishes another", async () => {
    expect(LEGAL_TEXTS).toEqual([...CONSENTS, "agreement"]);
    const { json } = await get("/api/admin/legal-texts", token);
    expect(json.texts.map((each: { key: string }) => each.key)).toEqual(LEGAL_TEXTS);
    expect(await readText("terms")).toMatchObject({
      version: CONSENT_VERSIONS.terms,
      published_at: null,
      asked: 0,
    });
    expect((await readText("agreement")).version).toBe("0");
    expect((await get("/api/admin/legal-texts/imprint", token)).status).toBe(404);
    const { text } = (await get("/api/public/legal-texts/terms")).json;
    expect(text).toMatchObject({ version: CONSENT_VERSIONS.terms, previous_version: null, changes: [] });
    expect((await get("/api/public/legal-texts/agreement")).status, "resellers' alone").toBe(404);
  });

  it("can be previewed, and are requested again once published", async () => {
    const personToken = await signUp("before@example.com");
    const initialConsents = await readConsents(personToken);
    expect(initialConsents.changed_consents).toEqual([]);
    const { overview } = (await get("/api/admin/overview", token)).json;
    expect(overview).toMatchObject({ no_bank: true, no_legal_texts: true, orders: 0 });

    const bodies = { tr: TURKISH, en: ENGLISH };
    const preview = (await post("/api/admin/legal-texts/terms/preview", { bodies }, { token })).json;
    expect(preview).toMatchObject({ asked: 1, fallback: LOCALES.filter((each) => !(each in bodies)) });
    const turkishChanges = preview.changes.find(
      (each: { locale: string }) => each.locale === "tr",
    ).paragraphs;
    expect(turkishChanges.filter(({ kind }: { kind: string }) => kind === "added")).toEqual([
      { kind: "added", text: "1. Konu" },
      { kind: "added", text: "2. Yeni koşul" },
    ]);

    const publishResponse = await publishText("terms", {
      version: "2027-01",
      bodies,
      expected_version: CONSENT_VERSIONS.terms,
    });
    expect(publishResponse.status).toBe(201);
    expect(publishResponse.json.text).toMatchObject({ version: "2027-01", locales: ["tr", "en"], asked: 1 });
    expect(await readConsents(personToken)).toMatchObject({
      missing_consents: [],
      changed_consents: ["terms"],
    });
    expect((await getPublishedTexts("en")).terms).toBe(ENGLISH);
    expect((await getPublishedTexts("de")).terms, "there is no German text").toBe(TURKISH);
    const response = (
      await call("GET", "/api/public/legal-texts/terms", { headers: { "accept-language": "de" } })
    ).json;
    expect(response.text).toMatchObject({
      version: "2027-01",
      locale: "tr",
      body: TURKISH,
      previous_version: CONSENT_VERSIONS.terms,
    });
    expect(response.text.changes).toContainEqual({ kind: "added", text: "2. Yeni koşul" });

    const consentsResponse = await call("PUT", "/api/profile/consents", {
      token: personToken,
      body: { consents: { terms: true } },
    });
    expect(consentsResponse.json.changed_consents).toEqual([]);
    expect(consentsResponse.json.history[0]).toMatchObject({
      key: "terms",
      text_version: "2027-01",
      text_hash: hashSecret(TURKISH).toString("hex"),
    });
    expect((await readConsents(await signUp("after@example.com"))).changed_consents).toEqual([]);
    const [auditEvent] = await prisma().auditEvent.findMany({ where: { action: "legal_text.published" } });
    expect(auditEvent).toMatchObject({
      actorId: administrator.id,
      details: { key: "terms", version: "2027-01", locales: "tr en" },
    });
  });

  it("are published once by twenty concurrent calls", async () => {
    const { version } = await readText("privacy");
    const responses = await runConcurrently(20, (index) =>
      publishText("privacy", {
        version: `2027-${index}`,
        bodies: { tr: TURKISH },
        expected_version: version,
      }),
    );
    expect(countByStatus(responses)).toEqual({ 201: 1, 409: 19 });
    const currentText = await readText("privacy");
    const staleResponse = responses.find(({ status }) => status === 409)!;
    expect(staleResponse.json.current).toEqual({ version: currentText.version, bodies: currentText.bodies });
    expect(await prisma().legalText.count({ where: { key: "privacy" } })).toBe(1);
    expect((await get("/api/admin/overview", token)).json.overview.no_legal_texts).toBe(false);
  });

  it.each([
    [{ version: "2027-01" }, "version"],
    [{ version: "paper" }, "version"],
    [{ version: "a b" }, "version"],
    [{ version: CONSENT_VERSIONS.terms }, "version"],
    [{ bodies: { en: ENGLISH } }, "bodies.tr"],
    [{ bodies: { tr: "   " } }, "bodies.tr"],
  ])("are rejected with %j", async (change, field) => {
    const validBody = { version: "2027-02", bodies: { tr: TURKISH }, expected_version: "2027-01" };
    const { status, json } = await publishText("terms", { ...validBody, ...change });
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual([field]);
  });

  it("of the agreement keep older signatures valid for the given days", async () => {
    const body = { version: "2027-01", bodies: { tr: TURKISH }, expected_version: "0", days: 30 };
    expect((await publishText("agreement", body)).status).toBe(201);
    const row = await prisma().legalText.findFirstOrThrow({ where: { key: "agreement" } });
    expect(row.requiredFrom.getTime() - row.publishedAt.getTime()).toBe(30 * 86_400_000);
    expect(await prisma().auditEvent.count({ where: { action: "agreement.published" } })).toBe(1);
  });

  // The setting `agreement_grace_days` is 14 by default.
  it("of the agreement use the days of the settings by default", async () => {
    const putGraceDays = (agreement_grace_days: number) =>
      call("PUT", "/api/admin/settings", { token, body: { agreement_grace_days } });
    const publishAndCountDays = async (version: string, expected_version: string) => {
      const { status } = await publishText("agreement", {
        version,
        bodies: { tr: TURKISH },
        expected_version,
      });
      expect(status).toBe(201);
      const row = await prisma().legalText.findFirstOrThrow({ where: { key: "agreement", version } });
      return (row.requiredFrom.getTime() - row.publishedAt.getTime()) / 86_400_000;
    };
    expect(await publishAndCountDays("2027-02", "2027-01")).toBeCloseTo(14, 3);
    expect((await putGraceDays(45)).status).toBe(200);
    expect(await publishAndCountDays("2027-03", "2027-02")).toBeCloseTo(45, 3);
    expect((await putGraceDays(0)).status).toBe(200);
    expect(await publishAndCountDays("2027-04", "2027-03")).toBeCloseTo(0, 3);
    expect((await putGraceDays(366)).status).toBe(422);
  });
});
