import { generateKeyPairSync } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { beforeEach, describe, expect, it } from "vitest";
import { getRegisteredDomains } from "@/server/core/domain";
import { formatText } from "@/server/core/texts";
import { APPLE_GRANT_SEAL_PURPOSE } from "@/server/domains/access/identities/service/apple-grant";
import { verifyConsentLedger } from "@/server/domains/accounts/consents/service/ledger";
import { recordConsents } from "@/server/domains/accounts/consents/service/record";
import { listAccountRelations } from "@/server/domains/accounts/users/statements";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { inTransaction, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import { storage } from "@/server/infrastructure/storage/storage";
import { startFakeIdentityProvider, startFakeSmtpServer } from "@/server/testing/external-servers";
import {
  makeLicence,
  makeMailAccount,
  makeMedia,
  makePayment,
  makeReseller,
  makeSignedInUser,
  makeSite,
  makeSubscription,
  makeToken,
} from "@/server/testing/factories";
import { makeMissingRows } from "@/server/testing/rows";
import { makeTotpFactor } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";
import { deleteExpiredAccounts } from "./service/expire";

const smtp = await startFakeSmtpServer();
const identityProvider = await startFakeIdentityProvider();
const applePrivateKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const { call, get, post, runJobs } = await startTestServer({
  env: {
    SMTP_URL: smtp.url,
    ...identityProvider.env,
    APPLE_TEAM_ID: "TEAM",
    APPLE_KEY_ID: "KEY",
    APPLE_PRIVATE_KEY: applePrivateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  },
});

const digestBytes = (text: string) => Uint8Array.from(hashSecret(text));
const deleteAccount = (token: string) =>
  post("/api/auth/account/confirm-delete", { confirmation: "SİL" }, { token });

/** Creates a row of every kind; `underRetention` adds records that the law requires to keep. */
async function makeAllRecords(id: number, { underRetention }: { underRetention: boolean }): Promise<void> {
  const db = prisma();
  const ctx = {
    actor: { kind: "system" as const },
    requestId: "r",
    ip: "198.51.100.7",
    userAgent: "UA",
    acceptLanguage: null,
    host: null,
    locale: "tr" as const,
  };
  await inTransaction((tx) =>
    recordConsents(
      { ...ctx, ...tx },
      { userId: id, consents: { terms: true, marketing: true }, source: "register" },
    ),
  );
  await makeTotpFactor(id);
  await db.mailMessage.create({
    data: {
      userId: id,
      toAddress: "t",
      template: "verify_email",
      locale: "tr",
      sealed: digestBytes("s"),
      state: "sent",
    },
  });
  await db.smsMessage.create({
    data: { userId: id, toNumber: "t", locale: "tr", sealed: digestBytes("s"), state: "sent" },
  });
  await db.brand.create({ data: { userId: id, productName: "b", color: "#112233", palette: {} } });
  await db.auditEvent.create({
    data: {
      actorKind: "user",
      actorId: id,
      action: "sign_in.succeeded",
      ip: "i",
      userAgent: "u",
      details: { a: 1 },
    },
  });
  await db.creditEntry.updateMany({ where: { userId: id }, data: { note: "n" } });
  await makeMissingRows(id, { textPrefix: "m", rules: ["delete"] });
  if (!underRetention) return;
  await makeReseller(id);
  const { id: subscriptionId } = await makeSubscription(id);
  await makePayment(id, { subscriptionId, note: "n", bankReference: "b", reverseReason: "r" });
  const site = await makeSite(id);
  await db.externalKey.create({
    data: { siteId: site.id, keyHash: digestBytes(`x${id}`), lastFour: "xxxx", lastUsedIp: "i" },
  });
  await db.mailAccount.create({
    data: { siteId: site.id, fromName: "f", fromAddress: "f", host: "h", port: 25, secure: false },
  });
  await makeLicence(id, { siteId: site.id });
  await makeMissingRows(id, { textPrefix: "m", rules: ["delete", "anonymise", "keep"] });
}

const IMPERSONAL_COLUMNS = new Set([
  "template",
  "state",
  "run_id",
  "channel",
  "reason",
  "abilities",
  "request_id",
  "actor_kind",
  "action",
  "object_type",
  "object_id",
  "text_version",
  "text_hash",
  "source",
  "rp_id",
  "file",
  "receipt_key",
  "file_key",
  "preview_key",
  "logo_path",
  "logo_dark_path",
  "icon_path",
  "color",
  "agreement_version",
  "plan_name",
  "currency",
  "method",
  "reference",
  "closed_reason",
  "last_four",
  "api_key_last_four",
  "ai_provider_key_last_four",
  "date_format",
  "hour_cycle",
  "week_start",
  "disabled_reason",
]);

/** Writes a unique text into every text column of an account's rows. Returns the columns. */
async function plantCanaries(userId: number): Promise<Map<string, string>> {
  const canaries = new Map<string, string>();
  await pool().query("alter table audit_events disable trigger audit_events_kept");
  const ownedColumns = [
    ...listAccountRelations().filter(({ onDeletion }) => onDeletion !== "detach"),
    ...["external_keys", "mail_accounts"].map((table) => ({ table, column: "site_id" })),
  ];
  for (const { table, column } of ownedColumns) {
    const { rows } = await pool().query<{ name: string; type: string }>(
      `select column_name as name, udt_name as type from information_schema.columns
        where table_schema = 'public' and table_name = $1 and udt_name in ('text', 'varchar', 'jsonb')`,
      [table],
    );
    for (const { name, type } of rows.filter(
      (row) => !IMPERSONAL_COLUMNS.has(row.name) && !(table === "users" && row.name === "email_key"),
    )) {
      const canary = `kanarya${canaries.size}x${Math.random().toString(36).slice(2)}${table === "users" && name === "email" ? "@example.com" : ""}`;
      const owner =
        column === "site_id"
          ? `site_id in (select id from sites where user_id = ${userId})`
          : `${column} = ${userId}`;
      const where = table === "sites" && name === "id" ? "false" : owner;
      const { rowCount } = await pool().query(
        `update ${table} set ${name} = ${type === "jsonb" ? "to_jsonb($1::text)" : "$1"} where ${where}`,
        [canary],
      );
      if (rowCount) canaries.set(canary, `${table}.${name}`);
    }
  }
  await pool().query("alter table audit_events enable trigger audit_events_kept");
  return canaries;
}

async function dumpData(): Promise<string> {
  const { rows: tables } = await pool().query<{ name: string }>(
    "select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'",
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool().query<{ row: string }>(`select row_to_json(t)::text as row from ${name} t`);
    texts.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  const dataDir = process.env.DATA_DIR!;
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) texts.push(await readFile(join(entry.parentPath, entry.name), "latin1"));
  return texts.join("\n");
}

const findCanaries = (text: string, canaries: Map<string, string>) =>
  [...canaries]
    .filter(([canary]) => text.includes(canary))
    .map(([, column]) => column)
    .sort();

describe("the deletion rules", () => {
  it("cover every relation to an account", async () => {
    const { rows } = await pool().query<{ relation: string }>(`
      select c.conrelid::regclass || '.' || a.attname as relation
        from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
       where c.contype = 'f' and c.confrelid = 'users'::regclass
      union
      select table_name || '.' || column_name from information_schema.columns
       where table_schema = 'public' and column_name ~ '(^|_)(user|actor|owner|inviter|reseller)_id$'`);
    const declaredRelations = new Set(
      listAccountRelations().map(({ table, column }) => `${table}.${column}`),
    );
    const undeclaredRelations = rows
      .map(({ relation }) => relation)
      .filter((relation) => !declaredRelations.has(relation));
    const relationsOfOthers = getRegisteredDomains().flatMap(({ relations = [] }) =>
      relations.flatMap((each) =>
        "rowsBelongTo" in each && each.rowsBelongTo === "others" ? [`${each.table}.${each.column}`] : [],
      ),
    );
    expect(undeclaredRelations.sort()).toEqual(relationsOfOthers.sort());
    expect(rows.length).toBeGreaterThan(25);
  });

  it("have one rule per topic, so that a forecast names each kind of data once", () => {
    const ruleByTopic = new Map(listAccountRelations().map(({ topic, onDeletion }) => [topic, onDeletion]));
    expect(
      listAccountRelations().filter(({ topic, onDeletion }) => ruleByTopic.get(topic) !== onDeletion),
    ).toEqual([]);
  });

  it("are documented for every topic", async () => {
    const document = await readFile("docs/account-deletion.md", "utf8");
    for (const { topic, onDeletion } of listAccountRelations())
      expect(document).toMatch(new RegExp(`\\| ${topic.replace("_", " ")} \\| [^|]*\\b${onDeletion}\\b`));
  });
});

describe("an erasure", () => {
  it("keeps the chain of consents valid in both modes", async () => {
    for (const underRetention of [true, false, true]) {
      const account = await makeSignedInUser();
      await makeAllRecords(account.id, { underRetention });
      expect((await deleteAccount(account.token)).status).toBe(200);
      expect((await verifyConsentLedger(withoutTransaction())).broken).toBeUndefined();
    }
  });

  it("leaves data of other accounts unchanged", async () => {
    // Sample rows refer to the first account of the database, so use the second and the third.
    const [, account, bystander] = [
      await makeSignedInUser(),
      await makeSignedInUser(),
      await makeSignedInUser(),
    ];
    for (const { id } of [account, bystander]) await makeAllRecords(id, { underRetention: true });
    const canaries = await plantCanaries(bystander.id);
    expect((await deleteAccount(account.token)).status).toBe(200);
    await runJobs();
    expect(findCanaries(await dumpData(), canaries)).toEqual([...canaries.values()].sort());
  });

  it("of an account under retention leaves texts only in consents and contracts", async () => {
    const account = await makeSignedInUser();
    await makeAllRecords(account.id, { underRetention: true });
    const canaries = await plantCanaries(account.id);
    expect(canaries.size).toBeGreaterThan(60);
    expect(findCanaries(await dumpData(), canaries)).toHaveLength(canaries.size);
    const { json } = await deleteAccount(account.token);
    expect(json.mode).toBe("anonymized");
    await runJobs();
    // Kept as evidence: consents, signatures and bank references.
    expect(findCanaries(await dumpData(), canaries)).toEqual([
      "agreement_signatures.ip",
      "agreement_signatures.locale",
      "agreement_signatures.typed_name",
      "agreement_signatures.user_agent",
      "agreement_signatures.version",
      "consent_records.ip",
      "consent_records.key",
      "consent_records.locale",
      "consent_records.user_agent",
      "payments.bank_reference",
    ]);
    const row = await prisma().user.findUniqueOrThrow({
      where: { id: account.id },
      include: { subscriptions: true, licences: true, sites: true, siteChanges: true },
    });
    expect(row).toMatchObject({
      // Triggers also write while the sites are deleted.
      siteChanges: [],
      name: "Silinmiş Kullanıcı",
      email: `deleted-${account.id}@anon.invalid`,
      emailKey: `deleted:${account.id}`,
      phone: null,
      passwordHash: null,
      isActive: false,
    });
    const cancelledFields = { status: "cancelled", closedReason: "account_deleted" };
    expect(row.subscriptions).toMatchObject([cancelledFields, cancelledFields]);
    expect(row.licences).toMatchObject([cancelledFields]);
    expect(row.sites.map(({ domain, isActive }) => [domain, isActive])).toEqual([
      [`deleted-${row.sites[0]!.id}.invalid`, false],
    ]);
  });

  it("of any other account leaves nothing", async () => {
    const account = await makeSignedInUser();
    await makeAllRecords(account.id, { underRetention: false });
    const canaries = await plantCanaries(account.id);
    expect(canaries.size).toBeGreaterThan(45);
    expect((await deleteAccount(account.token)).json.mode).toBe("deleted");
    await runJobs();
    expect(findCanaries(await dumpData(), canaries)).toEqual([]);
    for (const { table, column } of listAccountRelations().filter(({ table }) => table !== "audit_events")) {
      const { rows } = await pool().query(`select 1 from ${table} where ${column} = $1`, [account.id]);
      expect(rows, `${table}.${column}`).toEqual([]);
    }
  });

  it("deletes rate limits of the address, and of no other", async () => {
    const account = await makeSignedInUser({ email: "sayac@example.com" });
    const other = await makeSignedInUser({ email: "baska.sayac@example.com" });
    for (const { email } of [account, other]) {
      await post("/api/auth/login", { email, password: "wrong-password" });
      await post("/api/auth/forgot-password", { email });
      await post("/api/auth/resend-verification", { email });
    }
    const readLimitKeys = async () =>
      (await prisma().rateLimit.findMany({ where: { key: { contains: "sayac@" } } })).map(({ key }) => key);
    const keysBefore = await readLimitKeys();
    expect(keysBefore.length).toBeGreaterThanOrEqual(8);
    await deleteAccount(account.token);
    expect(await readLimitKeys()).toEqual(keysBefore.filter((key) => key.includes("baska.")));
  });

  it("deletes the files", async () => {
    const account = await makeSignedInUser();
    const avatarKey = "media/avatars/01KXYZ0000000000000000000A.webp";
    const archiveKey = "exports/01KXYZ0000000000000000000B.zip";
    for (const key of [avatarKey, archiveKey])
      await storage().write(key, Readable.from([Buffer.from("kanarya")]));
    await prisma().user.update({ where: { id: account.id }, data: { avatarUrl: `/${avatarKey}` } });
    await prisma().dataExport.create({
      data: { id: "X", userId: account.id, state: "ready", file: archiveKey },
    });
    const { fileKey, previewKey } = await makeMedia(account.id, { preview: Buffer.from("kanarya") });
    expect(await storage().read(avatarKey)).toBeDefined();
    await deleteAccount(account.token);
    await runJobs();
    for (const key of [avatarKey, archiveKey, fileKey, previewKey!])
      expect(await storage().read(key), key).toBeUndefined();
  });

  it("of an agent keeps files uploaded for the team, without the uploader", async () => {
    const owner = await makeSignedInUser();
    const account = await makeSignedInUser();
    const file = await makeMedia(owner.id, { uploadedById: account.id });
    await deleteAccount(account.token);
    expect(await prisma().mediaFile.findUnique({ where: { id: file.id } })).toMatchObject({
      uploadedById: null,
    });
  });

  it("mails the certificate once, and erases the mail afterwards", async () => {
    const account = await makeSignedInUser();
    const { json } = await deleteAccount(account.token);
    await runJobs();
    const [mail, ...otherMails] = smtp.mails.filter(({ recipients }) => recipients.includes(account.email));
    expect(otherMails).toEqual([]);
    expect(mail!.text).toContain(
      `http://panel.test/certificates/${json.certificate_id}?code=${json.certificate_code}`,
    );
    expect(await prisma().mailMessage.count({ where: { toAddress: account.email } })).toBe(0);
  });
});

describe("retained data", () => {
  it("is deleted after the retention period, and not before", async () => {
    const anonymiseAccount = async () => {
      const account = await makeSignedInUser();
      await makeAllRecords(account.id, { underRetention: true });
      expect((await deleteAccount(account.token)).json.mode).toBe("anonymized");
      return account.id;
    };
    const [expiredId, keptId] = [await anonymiseAccount(), await anonymiseAccount()];
    const currentYear = new Date().getUTCFullYear();
    const setAnonymisedAt = (id: number, at: string) =>
      prisma().user.update({ where: { id }, data: { anonymisedAt: new Date(at) } });
    await setAnonymisedAt(expiredId, `${currentYear - 11}-06-01T12:00:00Z`);
    await setAnonymisedAt(keptId, `${currentYear - 10}-06-01T12:00:00Z`);
    const { broken } = await verifyConsentLedger(withoutTransaction());
    await inTransaction(deleteExpiredAccounts);
    expect(
      await prisma().user.findMany({ where: { id: { in: [expiredId, keptId] } }, select: { id: true } }),
    ).toEqual([{ id: keptId }]);
    for (const table of [
      "sites",
      "subscriptions",
      "site_licences",
      "payments",
      "credit_entries",
      "consent_records",
    ]) {
      const { rows } = await pool().query(`select user_id from ${table} where user_id in ($1, $2)`, [
        expiredId,
        keptId,
      ]);
      expect(new Set(rows.map(({ user_id }) => user_id)), table).toEqual(new Set([keptId]));
    }
    expect((await verifyConsentLedger(withoutTransaction())).broken).toEqual(broken);
  });

  it("of a site moves to the reseller who paid for its licence", async () => {
    const reseller = await makeSignedInUser({ role: "reseller" });
    const customer = await makeSignedInUser({ resellerId: reseller.id });
    const site = await makeSite(customer.id);
    const licence = await makeLicence(reseller.id, { siteId: site.id, status: "active" });
    await makePayment(reseller.id, { subscriptionId: null, licenceId: licence.id });
    expect((await deleteAccount(customer.token)).json.mode).toBe("anonymized");
    await prisma().user.update({
      where: { id: customer.id },
      data: { anonymisedAt: new Date("2001-01-01") },
    });
    await inTransaction(deleteExpiredAccounts);
    expect(await prisma().user.findUnique({ where: { id: customer.id } })).toBeNull();
    const { userId, domain } = await prisma().site.findUniqueOrThrow({ where: { id: site.id } });
    expect({ userId, domain }).toEqual({ userId: reseller.id, domain: `deleted-${site.id}.invalid` });
    expect(await prisma().payment.count({ where: { licenceId: licence.id } })).toBe(1);
  });

  it("of a licence returns to the deleted reseller who paid for it", async () => {
    const reseller = await makeSignedInUser({ role: "reseller" });
    const customer = await makeSignedInUser({ resellerId: reseller.id });
    const site = await makeSite(customer.id);
    const licence = await makeLicence(reseller.id, { siteId: site.id, status: "active" });
    const payment = await makePayment(reseller.id, { subscriptionId: null, licenceId: licence.id });
    await deleteAccount(reseller.token);
    const readLicence = () => prisma().siteLicence.findUniqueOrThrow({ where: { id: licence.id } });
    expect((await readLicence()).userId).toBe(customer.id);
    await deleteAccount(customer.token);
    const expiredFields = { anonymisedAt: new Date("2001-01-01") };
    await prisma().user.update({ where: { id: customer.id }, data: expiredFields });
    await inTransaction(deleteExpiredAccounts);
    expect(await prisma().user.findUnique({ where: { id: customer.id } })).toBeNull();
    expect((await readLicence()).userId).toBe(reseller.id);
    const { userId } = await prisma().site.findUniqueOrThrow({ where: { id: site.id } });
    expect(userId).toBe(reseller.id);
    expect(await prisma().payment.count({ where: { id: payment.id } })).toBe(1);
    await prisma().user.update({ where: { id: reseller.id }, data: expiredFields });
    await inTransaction(deleteExpiredAccounts);
    expect(await prisma().site.count({ where: { id: site.id } })).toBe(0);
    expect(await prisma().user.count({ where: { id: reseller.id } })).toBe(0);
  });

  it("of one account is deleted even if the deletion of another fails and is retried", async () => {
    const [stuckUser, expiredUser, other] = [
      await makeSignedInUser(),
      await makeSignedInUser(),
      await makeSignedInUser(),
    ];
    const expiredFields = { anonymisedAt: new Date("2001-01-01"), isActive: false };
    await prisma().user.updateMany({
      where: { id: { in: [stuckUser.id, expiredUser.id] } },
      data: expiredFields,
    });
    // Inconsistent data: a payment of one account for the subscription of another.
    const { id: subscriptionId } = await makeSubscription(stuckUser.id);
    const inconsistentPayment = await makePayment(other.id, { subscriptionId });
    await expect(inTransaction(deleteExpiredAccounts)).rejects.toThrow();
    const findRemainingUsers = () =>
      prisma().user.findMany({ where: { id: { in: [stuckUser.id, expiredUser.id] } } });
    expect((await findRemainingUsers()).map(({ id }) => id)).toEqual([stuckUser.id]);
    await prisma().accountingDocument.delete({ where: { paymentId: inconsistentPayment.id } });
    await prisma().payment.delete({ where: { id: inconsistentPayment.id } });
    await inTransaction(deleteExpiredAccounts);
    expect(await findRemainingUsers()).toEqual([]);
  });
});

describe("dependants of the account", () => {
  it("customers take over licences that a reseller paid for their sites", async () => {
    const reseller = await makeSignedInUser({ role: "reseller" });
    const customer = await makeSignedInUser({ resellerId: reseller.id });
    const [paidSite, unpaidSite] = [await makeSite(customer.id), await makeSite(customer.id)];
    const ownLicence = await makeLicence(reseller.id);
    const licences = [
      await makeLicence(reseller.id, { siteId: paidSite.id, status: "active" }),
      await makeLicence(reseller.id, { siteId: unpaidSite.id }),
    ];
    expect((await deleteAccount(reseller.token)).json.mode).toBe("anonymized");
    const rows = await prisma().siteLicence.findMany({
      where: { id: { in: [ownLicence.id, ...licences.map(({ id }) => id)] } },
      orderBy: { id: "asc" },
    });
    expect(rows.map(({ userId, status }) => [userId, status])).toEqual([
      [reseller.id, "cancelled"],
      [customer.id, "active"],
      [customer.id, "pending"],
    ]);
    const { json } = await get("/api/billing/due", customer.token);
    expect(JSON.stringify(json)).toContain(licences[1]!.reference);
  });

  it("keys that a reseller created for customers' sites are revoked, and the customers are notified", async () => {
    const reseller = await makeSignedInUser({ role: "reseller" });
    const customers = [
      await makeSignedInUser({ resellerId: reseller.id }),
      await makeSignedInUser({ parentUserId: reseller.id }),
    ];
    const provenToken = await makeToken(reseller.id, { provenAt: new Date() });
    const keys: Array<{ sitePath: string; key: string }> = [];
    for (const { id } of customers) {
      const sitePath = `/api/sites/${(await makeSite(id)).id}`;
      const { json } = await post(`${sitePath}/regenerate-external-key`, {}, { token: provenToken });
      keys.push({ sitePath, key: json.external_api_key });
    }
    const readKeyStatuses = () =>
      Promise.all(
        keys.map(
          async ({ sitePath, key }) =>
            (await call("GET", sitePath, { headers: { "x-api-key": key } })).status,
        ),
      );
    expect(await readKeyStatuses()).toEqual([200, 200]);
    await deleteAccount(reseller.token);
    expect(await readKeyStatuses()).toEqual([401, 401]);
    const mails = await prisma().mailMessage.findMany({ where: { template: "site_keys_ended" } });
    expect(mails.map(({ userId }) => userId).sort()).toEqual(customers.map(({ id }) => id).sort());
  });

  it("sub-users lose keys, agents, licences and mail servers of the account's reseller", async () => {
    const reseller = await makeSignedInUser({ role: "reseller" });
    const parent = await makeSignedInUser({ resellerId: reseller.id });
    const subUser = await makeSignedInUser({ parentUserId: parent.id });
    const { id: siteId } = await makeSite(subUser.id);
    const agentFields = { parentUserId: reseller.id, isAgentOnly: true };
    const agent = await makeSignedInUser({ ...agentFields, assignedSiteId: siteId });
    const licence = await makeLicence(reseller.id, { siteId });
    await makeMailAccount({ siteId, port: 9 });
    const key = await post(
      `/api/sites/${siteId}/regenerate-external-key`,
      {},
      { token: await makeToken(reseller.id, { provenAt: new Date() }) },
    );
    const headers = { "x-api-key": key.json.external_api_key };
    const readStatusWithKey = async () => (await call("GET", `/api/sites/${siteId}`, { headers })).status;
    expect(await readStatusWithKey()).toBe(200);
    expect((await get(`/api/sites/${siteId}`, agent.token)).status).toBe(200);

    expect((await deleteAccount(parent.token)).status).toBe(200);
    expect(await readStatusWithKey()).toBe(401);
    expect((await get(`/api/sites/${siteId}`, agent.token)).status).toBe(401);
    const { userId } = await prisma().siteLicence.findUniqueOrThrow({ where: { id: licence.id } });
    expect(userId).toBe(subUser.id);
    expect(await prisma().mailAccount.count({ where: { siteId, verifiedAt: { not: null } } })).toBe(0);
    const mailFilter = { userId: subUser.id, template: "site_keys_ended" };
    expect(await prisma().mailMessage.count({ where: mailFilter })).toBe(1);
  });

  it("agents are deactivated; sub-users and customers keep their accounts and are notified", async () => {
    const owner = await makeSignedInUser({ role: "reseller" });
    const site = await makeSite(owner.id);
    const agent = await makeSignedInUser({
      parentUserId: owner.id,
      isAgentOnly: true,
      assignedSiteId: site.id,
    });
    const [subUser, customer] = [
      await makeSignedInUser({ parentUserId: owner.id }),
      await makeSignedInUser({ resellerId: owner.id }),
    ];
    const customerSite = await makeSite(customer.id);
    const otherOwner = await makeSignedInUser();
    const otherTeamFields = {
      parentUserId: otherOwner.id,
      assignedSiteId: (await makeSite(otherOwner.id)).id,
    };
    const bystander = await makeSignedInUser({ ...otherTeamFields, isAgentOnly: true });
    await deleteAccount(owner.token);
    expect((await get("/api/sites", bystander.token)).status).toBe(200);
    expect(await prisma().user.findUniqueOrThrow({ where: { id: bystander.id } })).toMatchObject(
      otherTeamFields,
    );
    expect((await get("/api/sites", agent.token)).status).toBe(401);
    expect(await prisma().user.findUniqueOrThrow({ where: { id: agent.id } })).toMatchObject({
      isActive: false,
      parentUserId: null,
      assignedSiteId: null,
    });
    for (const { id, token } of [subUser, customer]) {
      expect((await get("/api/sites", token)).status).toBe(200);
      expect(await prisma().user.findUniqueOrThrow({ where: { id } })).toMatchObject({
        isActive: true,
        parentUserId: null,
        resellerId: null,
      });
    }
    expect((await get(`/api/sites/${customerSite.id}`, customer.token)).status).toBe(200);
    await runJobs();
    const notifiedAddresses = smtp.mails
      .filter(
        ({ subject }) => subject === formatText("tr", "mail.account_released.subject", { brand: "Tellal" }),
      )
      .flatMap(({ recipients }) => recipients);
    expect(notifiedAddresses).toEqual(expect.arrayContaining([subUser.email, customer.email]));
    expect(notifiedAddresses).not.toContain(agent.email);
  });

  it("keys of its sites stop working", async () => {
    const owner = await makeSignedInUser();
    const site = await makeSite(owner.id);
    const key = createToken("dse");
    await prisma().externalKey.create({
      data: { siteId: site.id, keyHash: Uint8Array.from(hashSecret(key)), lastFour: key.slice(-4) },
    });
    const keyHeaders = { headers: { "x-api-key": key } };
    await deleteAccount(owner.token);
    expect((await call("POST", `/api/sites/${site.id}/regenerate-external-key`, keyHeaders)).status).toBe(
      401,
    );
  });
});

describe("external cleanups", () => {
  const readLatestTask = () => prisma().teardownTask.findMany({ orderBy: { id: "desc" }, take: 1 });
  const makeJobsDue = () =>
    pool().query("update graphile_worker._private_jobs set run_at = now() where run_at > now()");

  async function makeAppleUser(grant: object) {
    const account = await makeSignedInUser();
    await prisma().externalIdentity.create({
      data: {
        userId: account.id,
        provider: "apple",
        issuer: "a",
        subject: `a${account.id}`,
        email: "e",
        grantSealed: seal(JSON.stringify(grant), APPLE_GRANT_SEAL_PURPOSE),
      },
    });
    return account;
  }

  beforeEach(() => {
    identityProvider.revokeStatus = 200;
    identityProvider.revocations.length = 0;
    identityProvider.exchanges.length = 0;
  });

  it("revoke Apple's refresh token after the account is deleted", async () => {
    const account = await makeAppleUser({ refresh_token: "apple-token" });
    const { json } = await deleteAccount(account.token);
    expect(json.channels).toEqual({ cleaned: 0, pending: 1 });
    const path = `/api/deletion-certificates/${json.certificate_id}?code=${json.certificate_code}`;
    expect((await get(path)).json.certificate.outside).toEqual({ done: 0, pending: 1, failed: 0 });
    await runJobs();
    expect(
      identityProvider.revocations.map((form) => [
        form.get("token"),
        form.get("token_type_hint"),
        form.get("client_id"),
      ]),
    ).toEqual([["apple-token", "refresh_token", "tellal.apps.test"]]);
    expect((await readLatestTask())[0]).toMatchObject({ state: "done", sealed: null, attempts: 1 });
    expect((await get(path)).json.certificate.outside).toEqual({ done: 1, pending: 0, failed: 0 });
  });

  it("exchange Apple's code first if only the code is stored", async () => {
    const account = await makeAppleUser({ authorization_code: "apple-code" });
    await deleteAccount(account.token);
    await runJobs();
    expect(identityProvider.exchanges.map((form) => form.get("code"))).toEqual(["apple-code"]);
    expect(identityProvider.revocations.map((form) => form.get("token"))).toEqual(["apple-refresh-token"]);
  });

  it.each([500, 400, 0])(
    "are retried when Apple responds %i, and the secret is wiped after a month",
    async (status) => {
      identityProvider.revokeStatus = status;
      const account = await makeAppleUser({ refresh_token: "apple-token" });
      expect((await deleteAccount(account.token)).status).toBe(200);
      await runJobs();
      const [task] = await readLatestTask();
      expect(task).toMatchObject({ state: "pending", attempts: 1 });
      expect(task!.sealed).not.toBeNull();
      await makeJobsDue();
      await runJobs();
      expect((await readLatestTask())[0]).toMatchObject({ state: "pending", attempts: 2 });
      await prisma().teardownTask.update({
        where: { id: task!.id },
        data: { createdAt: new Date(Date.now() - 31 * 86_400_000) },
      });
      await makeJobsDue();
      await runJobs();
      expect((await readLatestTask())[0]).toMatchObject({ state: "failed", sealed: null, attempts: 3 });
      expect(identityProvider.revocations).toHaveLength(3);
    },
  );
});

describe("the certificate", () => {
  it("opens with its code only, identifies no person and lists retained data", async () => {
    const account = await makeSignedInUser({ name: "Gülşen Özsoy" });
    await makeSubscription(account.id);
    const { json } = await deleteAccount(account.token);
    const path = `/api/deletion-certificates/${json.certificate_id}`;
    const response = await get(`${path}?code=${json.certificate_code}`);
    expect(response.status).toBe(200);
    expect(response.json.certificate).toMatchObject({
      id: json.certificate_id,
      mode: "anonymized",
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(response.json.certificate.topics).toContainEqual({ topic: "billing", rule: "keep", count: 2 });
    expect(response.text).not.toContain("Gülşen");
    for (const wrongPath of [
      `${path}?code=wrong`,
      `${path}?code=`,
      path,
      `/api/deletion-certificates/${"0".repeat(26)}?code=${json.certificate_code}`,
    ])
      expect([404, 422]).toContain((await get(wrongPath)).status);
    expect((await get(`${path}?code=${json.certificate_code}`)).json.certificate.fingerprint).toBe(
      response.json.certificate.fingerprint,
    );
  });
});
