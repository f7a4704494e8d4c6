import { beforeEach, describe, expect, it, vi } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { getSetting } from "@/server/infrastructure/settings";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeProvenUser, makeToken } from "@/server/testing/factories";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";

const { call, get } = await startTestServer({ env: { PARASUT_CONSUMER_NUMBER: "22222222222" } });
beforeEach(() => resetRateLimits());

const { token, ...administrator } = await makeProvenUser({ role: "admin", name: "Deniz Yılmaz" });
const putSettings = (body: object) => call("PUT", "/api/admin/settings", { token, body });
const readSettings = async () =>
  Object.fromEntries(
    (await get("/api/admin/settings", token)).json.data.map((each: Setting) => [each.key, each]),
  );
interface Setting {
  key: string;
  value: unknown;
  updated_at: string | null;
}

const BANK = { holder: "Tellal A.Ş.", iban: "TR330006100519786457841326", bank: "Örnek Bankası" };

describe("platform settings", () => {
  it("have defaults until an administrator changes them, with an audit entry", async () => {
    expect(await readSettings()).toMatchObject({
      bank: { value: null, updated_at: null, updated_by: null, affects: "payers" },
      vat_rate: { value: 20, updated_at: null, group: "billing" },
    });
    const writtenBank = { ...BANK, iban: "tr33 0006 1005 1978 6457 8413 26" };
    expect((await putSettings({ bank: writtenBank })).status).toBe(200);
    expect((await readSettings()).bank).toMatchObject({
      value: BANK,
      updated_by: { id: administrator.id, name: "Deniz Yılmaz" },
    });
    expect(await prisma().auditEvent.findFirst({ where: { action: "setting.changed" } })).toMatchObject({
      actorId: administrator.id,
      details: { key: "bank", value: JSON.stringify(BANK) },
    });
  });

  it("require a proof of identity where money or accounts depend on them", async () => {
    const settingsBefore = await readSettings();
    const unprovenToken = await makeToken(administrator.id);
    for (const body of [{ bank: { ...BANK, holder: "Other" } }, { two_administrators: true }]) {
      const { status, json } = await call("PUT", "/api/admin/settings", { token: unprovenToken, body });
      expect({ status, requires_identity: json.requires_identity }).toEqual({
        status: 403,
        requires_identity: true,
      });
    }
    expect(await readSettings()).toEqual(settingsBefore);
    const unchangedValues = { bank: BANK, vat_rate: 20 };
    expect(
      (await call("PUT", "/api/admin/settings", { token: unprovenToken, body: unchangedValues })).status,
    ).toBe(200);
  });

  it("fall back to the environment until they are set", async () => {
    const readConsumerNumber = async () => (await readSettings()).final_consumer_tax_number;
    expect(await readConsumerNumber()).toMatchObject({
      value: "22222222222",
      source: "environment",
      updated_at: null,
    });
    expect(await getSetting(withoutTransaction(), "final_consumer_tax_number")).toBe("22222222222");
    expect((await readSettings()).referral_rate).toMatchObject({ value: 0, source: "default" });
    expect((await putSettings({ final_consumer_tax_number: "٣٣٣٣ 3333-333" })).status).toBe(200);
    expect(await readConsumerNumber()).toMatchObject({ value: "33333333333", source: "administrator" });
    expect(await getSetting(withoutTransaction(), "final_consumer_tax_number")).toBe("33333333333");
    expect((await putSettings({ final_consumer_tax_number: null })).status).toBe(200);
    expect((await readConsumerNumber()).value).toBe("33333333333");
  });

  it.each(["1111111111", "111111111111", "1111111111a", 11_111_111_111])(
    "reject the consumers' tax number %s",
    async (final_consumer_tax_number) => {
      expect((await putSettings({ final_consumer_tax_number })).status).toBe(422);
    },
  );

  it.each([
    "TR330006100519786457841327",
    "TR33000610051978645784132",
    "TR3300061005197864578413261",
    "DE89370400440532013001",
    "330006100519786457841326",
    "",
  ])("reject the IBAN %s", async (iban) => {
    const { status, json } = await putSettings({ bank: { ...BANK, iban } });
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual(["bank.iban"]);
  });

  it("accept a foreign IBAN", async () => {
    expect((await putSettings({ bank: { ...BANK, iban: "DE89370400440532013000" } })).status).toBe(200);
  });

  it.each([-1, 101, 18.5, "20"])("reject the VAT rate %s", async (vat_rate) => {
    expect((await putSettings({ vat_rate })).status).toBe(422);
  });

  it("save one of ten concurrent changes and reject the others as stale", async () => {
    const { vat_rate } = await readSettings();
    const expectedUpdatedAt = { vat_rate: vat_rate.updated_at };
    const responses = await runConcurrently(10, (index) =>
      putSettings({ vat_rate: 30 + index, expected_updated_at: expectedUpdatedAt }),
    );
    expect(countByStatus(responses)).toEqual({ 200: 1, 409: 9 });
    const currentSetting = (await readSettings()).vat_rate;
    const { json } = responses.find(({ status }) => status === 409)!;
    expect(json.current).toMatchObject({
      vat_rate: currentSetting.value,
      updated_at: { vat_rate: currentSetting.updated_at },
    });
    // Saving the current value or another setting is no conflict.
    expect(
      (await putSettings({ vat_rate: currentSetting.value, expected_updated_at: expectedUpdatedAt })).status,
    ).toBe(200);
    expect((await putSettings({ bank: BANK, expected_updated_at: expectedUpdatedAt })).status).toBe(200);
  });

  it("are cached for at most ten seconds, and an own change is visible immediately", async () => {
    await putSettings({ vat_rate: 10 });
    expect(await getSetting(withoutTransaction(), "vat_rate")).toBe(10);
    await prisma().setting.update({ where: { key: "vat_rate" }, data: { value: 18 } });
    expect(await getSetting(withoutTransaction(), "vat_rate")).toBe(10);
    const now = Date.now();
    vi.spyOn(Date, "now").mockReturnValue(now + 10_001);
    expect(await getSetting(withoutTransaction(), "vat_rate")).toBe(18);
    vi.restoreAllMocks();
    await putSettings({ vat_rate: 20 });
    expect(await getSetting(withoutTransaction(), "vat_rate")).toBe(20);
  });

  it("fall back to the default for an invalid stored value", async () => {
    await prisma().setting.update({ where: { key: "vat_rate" }, data: { value: { percent: 20 } } });
    expect((await readSettings()).vat_rate.value).toBe(20);
  });
});
