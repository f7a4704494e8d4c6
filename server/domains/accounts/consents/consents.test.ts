import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { pool, prisma } from "@/server/infrastructure/database/client";
import type { ConsentRecord } from "@/server/infrastructure/database/generated/client";
import { createSqlTag } from "@/server/infrastructure/database/statement";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeSignedInUser, makeToken, makeUser } from "@/server/testing/factories";
import { buildRegistrationBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";
import { CONSENT_VERSIONS, CONSENTS, MANDATORY_CONSENTS } from "./contract";
import { recordConsentHeadJob } from "./jobs";
import {
  appendConsentEntries,
  eraseConsentEntries,
  type NewConsentEntry,
  sealLegacyRows,
  verifyConsentLedger,
} from "./service/ledger";

const { get, post, call } = await startTestServer();
const CONSENTS_PATH = "/api/profile/consents";
/* A registration answers all seven consents (CONSENTS), so it adds seven rows. */

async function registerAccount() {
  const { status, json } = await post("/api/auth/register", buildRegistrationBody());
  expect(status).toBe(201);
  return { id: json.user.id as number, token: json.token as string };
}
const putConsents = (token: string, consents: unknown) =>
  call("PUT", CONSENTS_PATH, { token, body: { consents } });
const findConsentRows = (userId: number) =>
  prisma().consentRecord.findMany({ where: { userId }, orderBy: { id: "asc" } });
const verifyCurrentLedger = () => verifyConsentLedger(withoutTransaction());
const buildContext = () => ({
  actor: { kind: "system" as const },
  requestId: "test",
  ip: "10.0.0.1",
  userAgent: null,
  acceptLanguage: null,
  host: null,
  locale: "tr" as const,
});
const eraseConsents = (userId: number) =>
  inTransaction((tx) => eraseConsentEntries({ ...buildContext(), ...tx }, userId));

describe("GET /api/profile/consents", () => {
  it("returns each consent with version, time and origin, and the history", async () => {
    const { token } = await registerAccount();
    const { json } = await get(CONSENTS_PATH, token);
    expect(json.consents.map(({ key }: { key: string }) => key)).toEqual([...CONSENTS]);
    expect(json.consents[0]).toEqual({
      key: "terms",
      mandatory: true,
      granted: true,
      text_version: CONSENT_VERSIONS.terms,
      current_version: CONSENT_VERSIONS.terms,
      since: expect.any(String),
      locale: "tr",
      ip: expect.stringMatching(/^10\./),
      source: "register",
    });
    expect({
      missing_consents: json.missing_consents,
      changed_consents: json.changed_consents,
      data: json.data,
    }).toEqual({ missing_consents: [], changed_consents: [], data: json.consents });
    expect(json.history).toHaveLength(7);
    expect(json.history[0]).toMatchObject({
      key: "cookie_marketing",
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it("returns null answers for an account that was never asked", async () => {
    await registerAccount();
    const token = await makeToken((await makeUser()).id);
    const { json } = await get(CONSENTS_PATH, token);
    expect(json.history).toEqual([]);
    expect(new Set(json.consents.map(({ granted }: { granted: unknown }) => granted))).toEqual(
      new Set([null]),
    );
  });
});

describe("an optional consent", () => {
  it("appends a row when its answer changes, and none when an answer is repeated", async () => {
    const { id, token } = await registerAccount();
    const rowsBefore = await findConsentRows(id);
    expect((await putConsents(token, { marketing: true, analytics: null })).json.history).toHaveLength(7);
    const withdrawal = await putConsents(token, { marketing: false, terms: true });
    expect(withdrawal.json.consents.find(({ key }: { key: string }) => key === "marketing")).toMatchObject({
      granted: false,
      source: "profile",
    });
    await putConsents(token, { marketing: false });
    await putConsents(token, { marketing: 1 });
    const rowsAfter = await findConsentRows(id);
    expect(rowsAfter.slice(0, 7), "older rows stay as they were").toEqual(rowsBefore);
    expect(rowsAfter.slice(7).map(({ key, granted }) => [key, granted])).toEqual([
      ["marketing", false],
      ["marketing", true],
    ]);
    expect(await prisma().auditEvent.count({ where: { actorId: id, action: "consents.changed" } })).toBe(2);
  });

  it("is written once by a burst of equal requests", async () => {
    const { id, token } = await registerAccount();
    expect(countByStatus(await runConcurrently(20, () => putConsents(token, { marketing: false })))).toEqual({
      200: 20,
    });
    expect(await findConsentRows(id)).toHaveLength(8);
    expect((await verifyCurrentLedger()).broken).toBeUndefined();
  });
});

describe("a mandatory consent", () => {
  it.each(MANDATORY_CONSENTS)("%s cannot be withdrawn", async (key) => {
    const { id, token } = await registerAccount();
    const { status, json } = await putConsents(token, { marketing: false, [key]: false });
    expect({ status, json }).toEqual({
      status: 422,
      json: { success: false, error: expect.any(String), missing_consents: [key] },
    });
    expect(await findConsentRows(id)).toHaveLength(7);
  });

  it("is asked for again when its text has changed, without blocking the account", async () => {
    const { token, ...user } = await makeSignedInUser();
    const entryFields = {
      userId: user.id,
      granted: true,
      textVersion: "2020-01-01",
      textHash: "00",
      locale: "tr",
      ip: null,
      userAgent: null,
      source: "register",
    };
    const oldEntries = ["terms", "privacy", "marketing"].map((key) => ({ ...entryFields, key }));
    await inTransaction((tx) => appendConsentEntries(tx, oldEntries));
    const { json } = await get(CONSENTS_PATH, token);
    expect({ changed_consents: json.changed_consents, missing_consents: json.missing_consents }).toEqual({
      changed_consents: ["terms", "privacy"],
      missing_consents: [],
    });
    expect((await get("/api/auth/user", token)).status).toBe(200);
    const response = await putConsents(token, { terms: true });
    expect(response.json.changed_consents).toEqual(["privacy"]);
    expect((await findConsentRows(user.id)).at(-1)).toMatchObject({
      key: "terms",
      textVersion: CONSENT_VERSIONS.terms,
    });
  });
});

it("rejects a body without any consent", async () => {
  const { token } = await registerAccount();
  for (const consents of [
    null,
    {},
    [],
    "terms",
    { foo: true },
    { terms: null },
    { __proto__: { terms: true } },
  ])
    expect(Object.keys((await putConsents(token, consents)).json.errors)).toEqual(["consents"]);
  for (const terms of ["yes", 2, [], {}]) expect((await putConsents(token, { terms })).status).toBe(422);
});

describe("the ledger", () => {
  async function verifyTampered(statement: string, values: unknown[] = []) {
    const client = await pool().connect();
    try {
      await client.query("begin");
      await client.query(statement, values);
      return await verifyConsentLedger({ sql: createSqlTag(client) });
    } finally {
      await client.query("rollback");
      client.release();
    }
  }

  it("is one chain over all accounts, even after a burst of registrations", async () => {
    await runConcurrently(20, () => registerAccount());
    const verdict = await verifyCurrentLedger();
    expect(verdict.broken).toBeUndefined();
    expect(verdict.checked).toBe(await prisma().consentRecord.count());
    const { rows } = await pool().query("select hash, prev_hash from consent_records order by id");
    for (const [index, row] of rows.entries())
      expect(row.prev_hash).toEqual(index === 0 ? null : rows[index - 1].hash);
    expect(verdict.lastHash).toBe(rows.at(-1).hash.toString("hex"));
  });

  it("reports every altered column with the id of its row", async () => {
    const { id } = await registerAccount();
    const [, secondRow] = await findConsentRows(id);
    const alterations = [
      "granted = not granted",
      "key = 'marketing'",
      "user_id = (select min(id) from users)",
      "text_version = 'x'",
      "text_hash = 'x'",
      "locale = 'xx'",
      "ip = null",
      "user_agent = 'x'",
      "source = 'x'",
      "created_at = created_at - interval '1 day'",
      "hash = decode('00', 'hex')",
      "prev_hash = null",
      "hash = prev_hash",
    ];
    for (const alteration of alterations) {
      const { broken } = await verifyTampered(`update consent_records set ${alteration} where id = $1`, [
        secondRow!.id,
      ]);
      expect(broken, alteration).toEqual({ id: secondRow!.id, reason: "altered" });
    }
    const verdictWithoutHash = await verifyTampered("update consent_records set hash = null where id = $1", [
      secondRow!.id,
    ]);
    expect(verdictWithoutHash.broken).toEqual({ id: secondRow!.id, reason: "unchained" });
  });

  it("reports removed, moved and inserted rows", async () => {
    const { id } = await registerAccount();
    const rows = await findConsentRows(id);
    const removalVerdict = await verifyTampered("delete from consent_records where id = $1", [rows[2]!.id]);
    expect(removalVerdict.broken).toEqual({ id: rows[3]!.id, reason: "removed_before" });
    const moveVerdict = await verifyTampered("update consent_records set id = 1000000 where id = $1", [
      rows[2]!.id,
    ]);
    expect(moveVerdict.broken).toEqual({ id: rows[3]!.id, reason: "removed_before" });
    const swapVerdict = await verifyTampered(
      "with a as (update consent_records set id = -id where id = $1) update consent_records set id = 2000000 where id = $2",
      [rows[1]!.id, rows[2]!.id],
    );
    expect(swapVerdict.broken).toBeDefined();
    const insertionVerdict = await verifyTampered(
      `insert into consent_records (user_id, key, granted, text_version, text_hash, locale, source)
       values ($1, 'terms', true, 'x', 'x', 'tr', 'register')`,
      [id],
    );
    expect(insertionVerdict.broken?.reason).toBe("unchained");
    const cutVerdict = await verifyTampered("delete from consent_records where id = $1", [rows.at(-1)!.id]);
    expect(cutVerdict.broken).toEqual({ id: rows.at(-1)!.id, reason: "cut_off" });
    expect(cutVerdict.validHashes.has((await verifyCurrentLedger()).lastHash!)).toBe(false);
  });

  it("stays valid when the first, last or another account is deleted", async () => {
    const [keptAccount, middleAccount, lastAccount] = [
      await registerAccount(),
      await registerAccount(),
      await registerAccount(),
    ];
    const { checked } = await verifyCurrentLedger();
    for (const { id } of [middleAccount, lastAccount]) await eraseConsents(id);
    expect(await findConsentRows(middleAccount.id)).toEqual([]);
    const verdictAfterErasure = await verifyCurrentLedger();
    expect({ broken: verdictAfterErasure.broken, checked: verdictAfterErasure.checked }).toEqual({
      broken: undefined,
      checked,
    });
    const newAccount = await registerAccount();
    expect((await verifyCurrentLedger()).broken).toBeUndefined();
    await eraseConsents(newAccount.id);
    expect((await verifyCurrentLedger()).checked).toBe(checked + 7);
    const [row] = await findConsentRows(keptAccount.id);
    const forgedStubVerdict = await verifyTampered(
      `with gone as (delete from consent_records where id = $1 returning id, prev_hash, hash)
       insert into audit_events (actor_kind, action, details)
       select 'system', 'consents.erased', jsonb_build_object('id', id, 'prev', encode(prev_hash, 'hex'),
              'hash', encode(hash, 'hex'), 'mac', repeat('0', 64)) from gone`,
      [row!.id],
    );
    expect(forgedStubVerdict.broken?.reason).toBe("removed_before");
  });

  it("is verified by a command that exits 1 and names the row", async () => {
    const { id } = await registerAccount();
    const runChainCommand = (...args: string[]) =>
      promisify(execFile)(process.execPath, ["--import", "tsx", "scripts/chains.ts", "consents", ...args], {
        env: { ...process.env, TSX_TSCONFIG_PATH: "tsconfig.node.json" },
      }).then(
        ({ stdout }) => ({ code: 0, output: stdout }),
        (error: { code: number; stderr: string }) => ({ code: error.code, output: error.stderr }),
      );
    const { lastHash } = await verifyCurrentLedger();
    expect(await runChainCommand(lastHash!)).toMatchObject({
      code: 0,
      output: expect.stringContaining(lastHash!),
    });
    expect(await runChainCommand("00".repeat(32))).toMatchObject({ code: 1 });
    const [row] = await findConsentRows(id);
    await pool().query("update consent_records set granted = false where id = $1", [row!.id]);
    expect(await runChainCommand()).toMatchObject({
      code: 1,
      output: expect.stringContaining(`Row ${row!.id} `),
    });
    await pool().query("update consent_records set granted = true where id = $1", [row!.id]);
    expect((await runChainCommand()).code).toBe(0);
  });

  const unchainSql = "update consent_records set hash = null, prev_hash = null";

  it("reports missing hashes, and a missing end even after new entries", async () => {
    const { id } = await registerAccount();
    const firstRowId = (await prisma().consentRecord.findFirstOrThrow({ orderBy: { id: "asc" } })).id;
    const lastRowId = (await findConsentRows(id)).at(-1)!.id;
    expect((await verifyTampered(unchainSql)).broken).toEqual({ id: firstRowId, reason: "unchained" });
    const cutVerdict = await verifyTampered("delete from consent_records where id > $1", [lastRowId - 3]);
    expect(cutVerdict.broken).toEqual({ id: lastRowId, reason: "cut_off" });
    await expect(
      inTransaction(async (tx) => {
        await tx.db.consentRecord.deleteMany({ where: { id: { gt: lastRowId - 3 } } });
        await appendConsentEntries(tx, [toEntry((await findConsentRows(id))[0]!)]);
        throw await verifyConsentLedger(tx);
      }),
    ).rejects.toMatchObject({ broken: { reason: "removed_before" } });
  });

  it("reports a head that was altered, removed or replaced by an older one", async () => {
    const olderHead = await prisma().consentHead.findUniqueOrThrow({ where: { id: 1 } });
    const { id } = await registerAccount();
    const lastRowId = (await findConsentRows(id)).at(-1)!.id;
    const findBreak = async (...statement: Parameters<typeof verifyTampered>) =>
      (await verifyTampered(...statement)).broken;
    const removedHeadBreak = { id: lastRowId, reason: "head_removed" };
    expect(await findBreak("update consent_heads set count = count - 1")).toEqual({
      id: lastRowId,
      reason: "head_forged",
    });
    expect(await findBreak("delete from consent_heads")).toEqual(removedHeadBreak);
    const restoreOlderHeadSql = `with cut as (delete from consent_records where id > $1)
      update consent_heads set count = $2, last_id = $1, hash = $3, mac = $4`;
    const olderHeadValues = [olderHead.lastId, olderHead.count, olderHead.hash, olderHead.mac];
    expect(
      await findBreak(restoreOlderHeadSql, olderHeadValues),
      "no newer head is recorded yet",
    ).toBeUndefined();
    await recordConsentHeadJob();
    await recordConsentHeadJob();
    const recordedHeads = await prisma().auditEvent.findMany({ where: { action: "consents.sealed" } });
    expect(recordedHeads.map(({ details }) => (details as { id: number }).id)).toEqual([lastRowId]);
    expect(await findBreak(restoreOlderHeadSql, olderHeadValues)).toEqual({
      id: lastRowId,
      reason: "cut_off",
    });
    expect((await verifyCurrentLedger()).broken).toBeUndefined();
    await expect(
      inTransaction(async (tx) => {
        await tx.db.consentHead.deleteMany({});
        await tx.db.$executeRawUnsafe(unchainSql);
        expect(await sealLegacyRows(tx)).toBe(0);
        await appendConsentEntries(tx, [toEntry((await findConsentRows(id))[0]!)]);
        throw await verifyConsentLedger(tx);
      }),
    ).rejects.toMatchObject({ broken: { reason: "unchained" } });
  });

  it("chains and seals rows from before the chain existed", async () => {
    await pool().query(
      `alter table audit_events disable trigger audit_events_kept;
       delete from audit_events where action in ('consents.erased', 'consents.sealed');
       alter table audit_events enable trigger audit_events_kept`,
    );
    await pool().query("delete from consent_heads");
    await pool().query(unchainSql);
    const countBefore = await prisma().consentRecord.count();
    await registerAccount();
    const verdict = await verifyCurrentLedger();
    expect({ broken: verdict.broken, checked: verdict.checked }).toEqual({
      broken: undefined,
      checked: countBefore + 7,
    });
  });
});

function toEntry({
  id: _,
  createdAt: __,
  prevHash: ___,
  hash: ____,
  ...entry
}: ConsentRecord): NewConsentEntry {
  return entry;
}
