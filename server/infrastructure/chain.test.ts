import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import "@/server/domains";
import { createSystemContext } from "@/server/core/context";
import { verifyAudit } from "@/server/domains/accounts/audit/service/check";
import { deleteExpiredEntries } from "@/server/domains/accounts/audit/service/retention";
import { sealEntries } from "@/server/domains/accounts/audit/service/seal";
import { recordConsentHeadJob } from "@/server/domains/accounts/consents/jobs";
import {
  appendConsentEntries,
  eraseConsentEntries,
  verifyConsentLedger,
} from "@/server/domains/accounts/consents/service/ledger";
import {
  appendSignature,
  eraseSignatures,
  verifySignatures,
} from "@/server/domains/tenancy/legal-texts/service/signature-chain";
import { closeDatabase, pool } from "@/server/infrastructure/database/client";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { createTestDatabase } from "@/server/testing/database";
import { overrideSettings } from "@/server/testing/settings";

const SECRET = "the secret that these rows were written under";

await createTestDatabase();
overrideSettings({ DATA_DIR: await mkdtemp(join(tmpdir(), "tellal-chain-")), APP_SECRET: SECRET });
beforeAll(() => pool().query(readFileSync(new URL("./chain-rows.sql", import.meta.url), "utf8")));

async function verifyChains() {
  const audit = await verifyAudit(withoutTransaction());
  const consents = await verifyConsentLedger(withoutTransaction());
  const agreements = await inTransaction(verifySignatures);
  return {
    audit: {
      entries: audit.entryCount,
      erased: audit.erasedCount,
      seals: audit.sealCount,
      broken: audit.broken,
    },
    consents: { checked: consents.checked, broken: consents.broken },
    agreements: { checked: agreements.checked, broken: agreements.broken },
  };
}

async function verifyAfterTampering(statements: string[]) {
  let breakReasons: { audit?: string; consents?: string; agreements?: string } = {};
  await inTransaction(async (tx) => {
    await tx.db.$executeRawUnsafe("alter table audit_events disable trigger audit_events_kept");
    for (const statement of statements) await tx.db.$executeRawUnsafe(statement);
    breakReasons = {
      audit: (await verifyAudit(tx)).broken?.reason,
      consents: (await verifyConsentLedger(tx)).broken?.reason,
      agreements: (await verifySignatures(tx)).broken?.reason,
    };
    throw new Error("reverted");
  }).catch((error: Error) => expect(error.message).toBe("reverted"));
  return breakReasons;
}

it("verifies the rows of release 0.1.0", async () => {
  // Numbers of rows in chain-rows.sql, and of stubs in its audit log.
  expect(await verifyChains()).toEqual({
    audit: { entries: 10, erased: 1, seals: 3, broken: undefined },
    consents: { checked: 6, broken: undefined },
    agreements: { checked: 3, broken: undefined },
  });
});

it("rejects empty MACs", async () => {
  const emptyBytesSql = "decode('', 'hex')";
  expect(
    await verifyAfterTampering([
      `update audit_seals set hash = ${emptyBytesSql} where id = (select max(id) from audit_seals)`,
      `update audit_heads set hash = ${emptyBytesSql}, mac = ${emptyBytesSql}`,
    ]),
  ).toMatchObject({ audit: "seal_altered" });
  expect(
    await verifyAfterTampering([
      `update audit_heads set mac = ${emptyBytesSql}`,
      `update consent_heads set mac = ${emptyBytesSql}`,
      `update agreement_heads set mac = ${emptyBytesSql}`,
    ]),
  ).toEqual({ audit: "head_forged", consents: "head_forged", agreements: "head_forged" });
  expect(await verifyAfterTampering([`update audit_stubs set mac = ${emptyBytesSql}`])).toMatchObject({
    audit: "stub_forged",
  });
  expect(
    await verifyAfterTampering([`update audit_events set row_hash = ${emptyBytesSql} where id = 5`]),
  ).toMatchObject({
    audit: "entry_altered",
  });
});

it("reports erased rows with a forged stub", async () => {
  for (const details of ["null", `'{}'`, `details || '{"prev": null}'`, `details - 'mac'`])
    expect(
      await verifyAfterTampering([
        `update audit_events set details = ${details} where action in ('consents.erased', 'agreement.erased')`,
      ]),
      details,
    ).toMatchObject({ consents: "removed_before", agreements: "removed_before" });
});

it("reports an audit log emptied after retention had started", async () => {
  const deleteHeadsAndSeals = ["audit_heads", "audit_seals"].map((table) => `delete from ${table}`);
  const deleteEntries = "delete from audit_events where seal_id <> (select seal_id from audit_stubs)";
  expect(await verifyAfterTampering([...deleteHeadsAndSeals, deleteEntries])).toMatchObject({
    audit: "head_removed",
  });
});

it("verifies all chains, or a named one, by command", async () => {
  const runCommand = (...args: string[]) =>
    promisify(execFile)(process.execPath, ["--import", "tsx", "scripts/chains.ts", ...args], {
      env: { ...process.env, TSX_TSCONFIG_PATH: "tsconfig.node.json" },
    }).catch((error: { code: number; stdout: string; stderr: string }) => error);
  expect(await runCommand()).toMatchObject({
    stdout: expect.stringMatching(
      /^10 entries under 3 seals .*\n6 rows are .*\n3 signatures of agreements are /s,
    ),
    stderr: "",
  });
  await pool().query("update agreement_signatures set typed_name = 'X' where id = 3");
  expect(await runCommand("agreements")).toMatchObject({
    code: 1,
    stdout: "",
    stderr: "Signature 3 breaks the chain of agreements: its content is not what was recorded.\n",
  });
  await pool().query(`update agreement_signatures set typed_name = 'Ömer "X"' where id = 3`);
});

it("continues stored chains under a new secret", async () => {
  await closeDatabase();
  overrideSettings({ APP_SECRET: "another secret that is long enough to be one", APP_SECRET_OLD: SECRET });
  await inTransaction(async (tx) => {
    const consent = {
      userId: 3,
      key: "terms",
      granted: true,
      textVersion: "2",
      textHash: "0",
      source: "profile",
    };
    await appendConsentEntries(tx, [{ ...consent, locale: "tr", ip: null, userAgent: null }]);
    const signature = {
      resellerId: 3,
      version: "2027-02",
      locale: "tr",
      typedName: "X",
      ip: null,
      userAgent: null,
    };
    await appendSignature(tx, { ...signature, textHash: Buffer.from("00", "hex") });
    for (const userId of [1, 3]) {
      await eraseConsentEntries(createSystemContext(tx), userId);
      await eraseSignatures(createSystemContext(tx), userId);
    }
  });
  await recordConsentHeadJob();
  await sealEntries({ maxEntries: 1000, minAgeSeconds: -1 });
  expect(await deleteExpiredEntries({ before: new Date("2025-01-01") })).toBe(1);
  expect(await verifyChains()).toEqual({
    audit: { entries: expect.any(Number), erased: 1, seals: 3, broken: undefined },
    consents: { checked: 7, broken: undefined },
    agreements: { checked: 4, broken: undefined },
  });
});
