import { access, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { ulid } from "ulid";
import { describe, expect, it } from "vitest";
import { getRegisteredDomains, type Relation } from "@/server/core/domain";
import { LOCALES } from "@/server/core/locale";
import { formatText, hasText, listChildKeys } from "@/server/core/texts";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { sealMail } from "@/server/infrastructure/mail/outbox";
import { seal } from "@/server/infrastructure/secrets/seal";
import { hashSecret } from "@/server/infrastructure/secrets/tokens";
import { storage } from "@/server/infrastructure/storage/storage";
import { runConcurrently } from "@/server/testing/burst";
import {
  makeMedia,
  makePayment,
  makeReseller,
  makeSite,
  makeSubscription,
  makeToken,
  makeUser,
} from "@/server/testing/factories";
import { makeDocument } from "@/server/testing/invoices";
import { deliverAndReadMails, getLinkParam } from "@/server/testing/mailbox";
import { callRoute, listRouteFiles } from "@/server/testing/next-routes";
import { makeMissingRows } from "@/server/testing/rows";
import { makeTotpFactor } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";
import { unzip } from "@/server/testing/zip";
import { makeDataExportJob, sweepDataExportsJob } from "./jobs";

const EXPORT_FILES = listChildKeys("dataExport.files");

const server = await startTestServer();
const { call, get, post, runJobs } = server;
const getExportFolder = () => join(process.env.DATA_DIR!, "exports");

async function makeUserWithSession(data: Parameters<typeof makeUser>[0] = {}) {
  const user = await makeUser(data);
  const { json } = await post("/api/auth/login", { email: user.email, password: "correct-horse" });
  return { ...user, token: json.token as string };
}
type Person = Awaited<ReturnType<typeof makeUserWithSession>>;

const requestExport = ({ token }: Person) => post("/api/user/export", undefined, { token });
const readExport = async ({ token }: Person) => (await get("/api/user/export", token)).json.export;

async function completeExport(account: Person) {
  const { status, json } = await requestExport(account);
  expect(status).toBe(201);
  const [mail] = await deliverAndReadMails(server, account.email, "export_ready");
  return { id: json.export.id as string, token: getLinkParam(mail!, "token"), mail: mail! };
}

async function downloadArchive(account: Person) {
  const { id, token } = await completeExport(account);
  const { bytes } = await call("GET", `/api/user/export/${id}?token=${token}`);
  return unzip(bytes!);
}

const INTERNAL_NOTE = "for the office alone";

async function makeAllRecords(id: number, mark: string): Promise<void> {
  const db = prisma();
  const inOneHour = new Date(Date.now() + 3_600_000);
  const makeHash = (name: string) => Uint8Array.from(hashSecret(`${mark}${name}`));
  await db.user.update({
    where: { id },
    data: { name: mark, appName: mark, menuLabels: { sites: mark }, timezone: "Europe/Istanbul" },
  });
  const site = await makeSite(id, { name: mark, welcomeMessage: mark, systemPrompt: mark });
  await db.externalKey.create({
    data: {
      siteId: site.id,
      keyHash: makeHash("x"),
      lastFour: "abcd",
      lastUsedIp: mark,
      uses: { create: { day: inOneHour, operation: "getSite", address: mark, calls: 1, lastAt: inOneHour } },
    },
  });
  const { id: subscriptionId } = await makeSubscription(id);
  await makePayment(id, {
    subscriptionId,
    bankReference: mark,
    note: INTERNAL_NOTE,
    reverseReason: INTERNAL_NOTE,
  });
  await makeReseller(id, { code: mark.slice(0, 16).toUpperCase() });
  await db.resellerPortal.create({
    data: { resellerId: id, domain: `${mark}.example.com` },
  });
  await db.brand.create({
    data: { userId: id, productName: mark, logoPath: `media/brands/${mark}.png` },
  });
  await makeMedia(id, { name: `${mark}.pdf` });
  await makeTotpFactor(id);
  await makeUser({ name: `member ${mark}`, parentUserId: id });
  await db.siteLicence.create({
    data: {
      siteId: site.id,
      userId: id,
      priceTry: 3999,
      periodStart: inOneHour,
      periodEnd: inOneHour,
      payBy: inOneHour,
    },
  });
  await db.mailAccount.create({
    data: {
      userId: id,
      fromName: mark,
      fromAddress: mark,
      host: mark,
      port: 25,
      secure: false,
      username: mark,
    },
  });
  await db.invitation.create({
    data: {
      inviterId: id,
      name: mark,
      email: mark,
      emailKey: mark,
      tokenHash: makeHash("i"),
      expiresAt: inOneHour,
    },
  });
  await db.emailChange.create({
    data: {
      userId: id,
      oldEmail: mark,
      newEmail: mark,
      newEmailKey: mark,
      tokenHash: makeHash("e"),
      expiresAt: inOneHour,
    },
  });
  await db.externalIdentity.create({
    data: { userId: id, provider: "google", issuer: mark, subject: mark, email: mark },
  });
  await db.passkey.create({
    data: {
      id: mark.slice(0, 26),
      userId: id,
      credentialId: mark,
      publicKey: makeHash("p"),
      transports: ["usb"],
      deviceName: mark,
      aaguid: mark,
      backupEligible: true,
      backedUp: true,
    },
  });
  await db.trustedDevice.create({
    data: { userId: id, tokenHash: makeHash("d"), userAgent: mark, expiresAt: inOneHour },
  });
  await db.usageMonth.create({ data: { userId: id, month: new Date("2026-11-01"), aiCalls: 7 } });
  const mail = { template: "verify_email", locale: "tr", params: { name: mark, hours: 24 } } as const;
  await db.smsMessage.create({
    data: { userId: id, toNumber: mark, locale: "tr", sealed: seal(mark, "sms") },
  });
  await db.creditEntry.updateMany({ where: { userId: id }, data: { note: mark } });
  await db.mailMessage.create({
    data: { userId: id, toAddress: mark, template: "verify_email", locale: "tr", sealed: sealMail(mail) },
  });
  await db.consentRecord.create({
    data: {
      userId: id,
      key: "terms",
      granted: true,
      textVersion: mark,
      textHash: mark,
      locale: "tr",
      source: "register",
    },
  });
  // A request during a running export returns that export.
  await makeMissingRows(id, {
    textPrefix: mark,
    rules: ["delete", "anonymise", "keep"],
    excludedTables: ["data_exports"],
  });
}

describe("an export", () => {
  it("is created by a job, mailed, and downloadable repeatedly for a day", async () => {
    const account = await makeUserWithSession({ locale: "de" });
    expect(await readExport(account)).toBeNull();
    const unprovenToken = await makeToken(account.id);
    expect((await post("/api/user/export", undefined, { token: unprovenToken })).json.requires_identity).toBe(
      true,
    );
    expect((await requestExport(account)).json.export).toMatchObject({
      state: "queued",
      progress: 0,
      size: null,
    });
    await runJobs();
    const [mail] = await deliverAndReadMails(server, account.email, "export_ready");
    expect(mail!.subject).toBe(formatText("de", "mail.export_ready.subject", { brand: "Tellal" }));
    const link = new URL(/https?:\/\/\S+/.exec(mail!.text)![0]);
    expect(link.origin).toBe("http://panel.test");

    const readyExport = await readExport(account);
    expect(readyExport).toMatchObject({ state: "ready", progress: 100 });
    for (let round = 0; round < 3; round++) {
      const { status, headers, bytes } = await call("GET", link.pathname + link.search);
      expect(status).toBe(200);
      expect(headers["content-type"]).toBe("application/zip");
      expect(headers["cache-control"]).toBe("no-store");
      expect(headers["content-disposition"]).toMatch(/^attachment; filename="export-\d{4}-\d\d-\d\d\.zip"$/);
      expect(bytes!.length).toEqual(readyExport.size);
      expect(headers["content-length"]).toEqual(String(readyExport.size));
      expect([...unzip(bytes!).keys()]).toEqual([
        "README.txt",
        ...EXPORT_FILES.flatMap((file) => [`${file}.json`, `${file}.csv`]),
      ]);
    }
    const headResponse = await call("HEAD", link.pathname + link.search);
    expect(headResponse.status).toBe(200);
    expect(headResponse.text).toBe("");
    expect(headResponse.headers["content-length"]).toEqual(String(readyExport.size));
    const route = (await listRouteFiles()).get("/api/[...rest]")!;
    const routeResponse = await callRoute(route, "GET", link.pathname + link.search);
    expect(routeResponse.status).toBe(200);
    expect(unzip(routeResponse.bytes!).size).toEqual(1 + 2 * EXPORT_FILES.length);

    const [, expiresAt] = [readyExport.ready_at, readyExport.expires_at].map((at) => Date.parse(at));
    expect(Math.abs(expiresAt! - Date.now() - 86_400_000)).toBeLessThan(60_000);
    await prisma().dataExport.update({ where: { id: readyExport.id }, data: { expiresAt: new Date() } });
    expect((await call("GET", link.pathname + link.search)).status).toBe(404);
    expect((await readExport(account)).state).toBe("expired");
    const auditEvents = await prisma().auditEvent.findMany({
      where: { actorId: account.id, action: { startsWith: "data_export" } },
      orderBy: { id: "asc" },
    });
    expect(auditEvents.map(({ action }) => action)).toEqual([
      "data_export.requested",
      ...Array.from({ length: 5 }, () => "data_export.downloaded"),
    ]);
  });

  it("opens with its own link only", async () => {
    const [ownExport, otherExport] = [
      await completeExport(await makeUserWithSession()),
      await completeExport(await makeUserWithSession()),
    ];
    const wrongToken = ownExport.token.slice(0, -1) + (ownExport.token.endsWith("A") ? "B" : "A");
    for (const query of [
      "",
      "?token=",
      `?token=${wrongToken}`,
      `?token=${otherExport.token}`,
      `?token=${"a".repeat(9000)}`,
    ])
      expect((await call("GET", `/api/user/export/${ownExport.id}${query}`)).status).toBe(404);
    const signedInPerson = await makeUserWithSession();
    expect((await get(`/api/user/export/${ownExport.id}`, signedInPerson.token)).status).toBe(404);
    const row = await prisma().dataExport.findUniqueOrThrow({ where: { id: ownExport.id } });
    expect(Buffer.from(row.tokenHash!)).toEqual(hashSecret(ownExport.token));
  });

  it("does not open while its account is deactivated", async () => {
    const account = await makeUserWithSession();
    const { id, token } = await completeExport(account);
    const readStatus = async () => (await get(`/api/user/export/${id}?token=${token}`)).status;
    await prisma().user.update({ where: { id: account.id }, data: { isActive: false } });
    expect(await readStatus()).toBe(404);
    await prisma().user.update({ where: { id: account.id }, data: { isActive: true } });
    expect(await readStatus()).toBe(200);
  });

  it("does not open after a change or reset of the password; a later link does", async () => {
    const password = "a-brand-new-password";
    const bystander = await completeExport(await makeUserWithSession());
    const changedAccount = await makeUserWithSession();
    const firstExport = await completeExport(changedAccount);
    const openLink = ({ id, token }: { id: string; token: string }) =>
      get(`/api/user/export/${id}?token=${token}`);
    expect((await openLink(firstExport)).status).toBe(200);
    const body = { current_password: "correct-horse", password, password_confirmation: password };
    expect((await call("PUT", "/api/user", { token: changedAccount.token, body })).status).toBe(200);
    expect((await openLink(firstExport)).status).toBe(404);
    expect((await openLink(await completeExport(changedAccount))).status).toBe(200);

    const resetAccount = await makeUserWithSession();
    const olderExport = await completeExport(resetAccount);
    await post("/api/auth/forgot-password", { email: resetAccount.email });
    const token = getLinkParam(
      (await deliverAndReadMails(server, resetAccount.email, "reset_password"))[0]!,
      "token",
    );
    const resetBody = { token, email: resetAccount.email, password, password_confirmation: password };
    expect((await post("/api/auth/reset-password", resetBody)).status).toBe(200);
    expect((await openLink(olderExport)).status).toBe(404);
    expect((await openLink(bystander)).status, "its password has not changed").toBe(200);
  });

  it("contains all data of the account, none of another, and no secrets", async () => {
    const [mark, foreignMark] = ["canarymine0123456789abcdefgh", "canaryforeign0123456789abcde"];
    const account = await makeUserWithSession({ phone: "+905321112233" });
    const other = await makeUserWithSession();
    await makeAllRecords(account.id, mark);
    await makeAllRecords(other.id, foreignMark);
    // An action of the other account on this one is exported without its IP address.
    await prisma().auditEvent.create({
      data: {
        actorKind: "user",
        actorId: other.id,
        action: "team.member_moved",
        objectType: "User",
        objectId: String(account.id),
        ip: foreignMark,
        userAgent: foreignMark,
        details: { from: foreignMark },
      },
    });
    const { token: apiKey } = (await post("/api/user/tokens", { name: mark }, { token: account.token })).json;
    const userRow = await prisma().user.findUniqueOrThrow({ where: { id: account.id } });
    const files = await downloadArchive(account);
    for (const name of EXPORT_FILES) {
      const [json, csv] = [files.get(`${name}.json`)!.toString(), files.get(`${name}.csv`)!.toString()];
      const rows = JSON.parse(json) as object[];
      expect(rows.length, `${name} has a row`).toBeGreaterThan(0);
      // JSON and CSV have the same columns; a cell may contain a line break.
      expect(csv.split("\r\n")[0]).toBe(
        `\uFEFF${Object.keys(rows[0]!)
          .map((column) => `"${column}"`)
          .join(",")}`,
      );
      for (const content of [json, csv]) expect(content, name).not.toContain(foreignMark);
    }
    const markedFiles = [
      "profile",
      "menu_labels",
      "address_changes",
      "consents",
      "sessions_and_keys",
      "trusted_devices",
    ];
    const otherMarkedFiles = [
      "passkeys",
      "identities",
      "sites",
      "site_keys",
      "mail_accounts",
      "credits",
      "team",
      "invitations",
      "billing_profile",
      "payments",
      "media",
      "snippets",
    ];
    for (const name of [...markedFiles, ...otherMarkedFiles, "mails", "text_messages", "reseller"])
      expect(files.get(`${name}.json`)!.toString(), name).toContain(mark);
    const movedEvent = JSON.parse(files.get("activity.json")!.toString()).find(
      ({ action }: { action: string }) => action === "team.member_moved",
    );
    expect(movedEvent).toMatchObject({ by_me: false, ip: null, user_agent: null, details: null });

    const archiveText = Buffer.concat([...files.values()]).toString();
    const digests = [hashSecret(account.token), hashSecret(apiKey), ...(await findSecrets(account.id))];
    for (const secret of [account.token, apiKey, userRow.passwordHash!, INTERNAL_NOTE])
      expect(archiveText).not.toContain(secret);
    for (const secret of digests)
      for (const encoding of ["hex", "base64", "base64url"] as const)
        expect(archiveText).not.toContain(secret.toString(encoding));
  });

  it("contains the PDF files of invoices, and skips missing ones", async () => {
    const [account, other] = [await makeUserWithSession(), await makeUserWithSession()];
    const makeInvoice = async (userId: number, number: string) => {
      const pdfKey = `invoices/${ulid()}.pdf`;
      const { id } = await makeDocument({
        ...{ userId, state: "done", kind: "e_archive", documentNumber: number, pdfKey, doneAt: new Date() },
        ...{
          contactRemoteId: "1",
          invoiceRemoteId: "2",
          jobRemoteId: "3",
          documentRemoteId: "4",
          issueDate: new Date(),
        },
      });
      return { id, pdfKey };
    };
    const storedInvoice = await makeInvoice(account.id, "TLA2027000000001");
    await storage().write(storedInvoice.pdfKey, Readable.from([Buffer.from("%PDF-mine")]));
    await makeInvoice(account.id, "TLA2027000000002");
    const foreignInvoice = await makeInvoice(other.id, "TLA2027000000003");
    await storage().write(foreignInvoice.pdfKey, Readable.from([Buffer.from("%PDF-foreign")]));
    const files = await downloadArchive(account);
    const pdfFiles = [...files].filter(([name]) => name.startsWith("invoices/"));
    expect(pdfFiles.map(([name, content]) => [name, content.toString()])).toEqual([
      [`invoices/${storedInvoice.id}-TLA2027000000001.pdf`, "%PDF-mine"],
    ]);
  });

  it("has a README in the account's language", async () => {
    const readme = (await downloadArchive(await makeUserWithSession({ locale: "tr" })))
      .get("README.txt")!
      .toString();
    expect(readme).toContain("kişisel verileriniz");
    for (const file of EXPORT_FILES) {
      expect(readme).toContain(`${file}.json, ${file}.csv`);
      for (const locale of LOCALES) expect(hasText(locale, `dataExport.files.${file}`)).toBe(true);
    }
  });

  it("can be requested three times a day; concurrent requests share one export", async () => {
    const account = await makeUserWithSession();
    const responses = await runConcurrently(50, () => requestExport(account));
    expect(
      new Set(responses.map(({ status, json }) => `${status} ${json.export?.id}`)).size,
    ).toBeLessThanOrEqual(2);
    expect(await prisma().dataExport.count({ where: { userId: account.id } })).toBe(1);
    const otherPerson = await makeUserWithSession();
    const statuses: number[] = [];
    for (let round = 0; round < 4; round++) {
      statuses.push((await requestExport(otherPerson)).status);
      expect((await requestExport(otherPerson)).status, "the running export counts once").toBe(
        round < 3 ? 201 : 429,
      );
      await runJobs();
    }
    expect(statuses).toEqual([201, 201, 201, 429]);
  });
});

async function findSecrets(userId: number): Promise<Buffer[]> {
  const db = prisma();
  const findArgs = { where: { userId } };
  const rows = [
    ...(await db.accessToken.findMany(findArgs)).map(({ tokenHash }) => tokenHash),
    ...(await db.factor.findMany(findArgs)).map(({ secretSealed }) => secretSealed),
    ...(await db.recoveryCode.findMany(findArgs)).map(({ codeHash }) => codeHash),
    ...(await db.trustedDevice.findMany(findArgs)).map(({ tokenHash }) => tokenHash),
    ...(await db.passkey.findMany(findArgs)).map(({ publicKey }) => publicKey),
    ...(await db.site.findMany(findArgs)).flatMap(({ apiKeyHash, apiKeySealed }) => [
      apiKeyHash,
      apiKeySealed,
    ]),
    ...(await db.dataExport.findMany(findArgs)).map(({ tokenHash }) => tokenHash),
    ...(await db.invitation.findMany({ where: { inviterId: userId } })).map(({ tokenHash }) => tokenHash),
  ];
  const secrets = rows.flatMap((bytes) => (bytes ? [Buffer.from(bytes)] : []));
  expect(secrets.length).toBeGreaterThan(10);
  return secrets;
}

describe("the job", () => {
  it("starts over after a crash, and overwrites what is left", async () => {
    await completeExport(await makeUserWithSession());
    const account = await makeUserWithSession();
    const { id } = (await requestExport(account)).json.export;
    await prisma().dataExport.update({ where: { id }, data: { state: "running", progress: 40 } });
    await writeFile(join(getExportFolder(), `${id}.zip.part`), "half");
    await makeDataExportJob({ exportId: id, locale: "tr" });
    const linkToken = getLinkParam(
      (await deliverAndReadMails(server, account.email, "export_ready"))[0]!,
      "token",
    );
    const { bytes } = await call("GET", `/api/user/export/${id}?token=${linkToken}`);
    expect(unzip(bytes!).size).toBe(1 + 2 * EXPORT_FILES.length);
    expect((await readdir(getExportFolder())).filter((name) => name.endsWith(".part"))).toEqual([]);
    await makeDataExportJob({ exportId: id, locale: "tr" });
    expect((await deliverAndReadMails(server, account.email, "export_ready")).length).toBe(1);
  });

  it("reports progress, retries after an error, and fails in the end", async () => {
    const account = await makeUserWithSession();
    const { id } = (await requestExport(account)).json.export;
    await pool().query("alter table usage_months rename to usage_months_away");
    try {
      await expect(makeDataExportJob({ exportId: id, locale: "tr" })).rejects.toThrow(/usage_months/);
      const runningExport = await readExport(account);
      expect(runningExport.state).toBe("running");
      expect(runningExport.progress).toBeGreaterThan(25);
      expect(runningExport.progress).toBeLessThan(75);
      await prisma().dataExport.update({
        where: { id },
        data: { createdAt: new Date(Date.now() - 7 * 3_600_000) },
      });
      await makeDataExportJob({ exportId: id, locale: "tr" });
      expect((await readExport(account)).state).toBe("failed");
    } finally {
      await pool().query("alter table usage_months_away rename to usage_months");
    }
    expect(
      await readdir(getExportFolder()).then((names) => names.filter((name) => name.startsWith(id))),
    ).toEqual([]);
    expect((await requestExport(account)).json.export).toMatchObject({ state: "queued" });
  });

  it("leaves no file when the account was deleted", async () => {
    const account = await makeUserWithSession();
    const { id } = (await requestExport(account)).json.export;
    await prisma().dataExport.delete({ where: { id } });
    await makeDataExportJob({ exportId: id, locale: "tr" });
    await expect(access(join(getExportFolder(), `${id}.zip`))).rejects.toThrow();
  });

  it("deletes expired archives and unknown files, except recent ones", async () => {
    const [expiredExport, activeExport] = [
      await completeExport(await makeUserWithSession()),
      await completeExport(await makeUserWithSession()),
    ];
    const orphanPath = join(getExportFolder(), "0RPHAN.zip");
    const recentPath = join(getExportFolder(), "FRESH.zip.part");
    for (const path of [orphanPath, recentPath]) await writeFile(path, "x");
    const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000);
    for (const path of [
      orphanPath,
      join(getExportFolder(), `${expiredExport.id}.zip`),
      join(getExportFolder(), `${activeExport.id}.zip`),
    ])
      await utimes(path, twoHoursAgo, twoHoursAgo);
    await prisma().dataExport.update({ where: { id: expiredExport.id }, data: { expiresAt: new Date() } });
    await sweepDataExportsJob();
    const names = await readdir(getExportFolder());
    expect(names).toContain(`${activeExport.id}.zip`);
    expect(names).toContain("FRESH.zip.part");
    expect(names).not.toContain("0RPHAN.zip");
    expect(names).not.toContain(`${expiredExport.id}.zip`);
    const row = await prisma().dataExport.findUniqueOrThrow({ where: { id: expiredExport.id } });
    expect(row).toMatchObject({ file: null, tokenHash: null });
    expect(
      (await call("GET", `/api/user/export/${activeExport.id}?token=${activeExport.token}`)).status,
    ).toBe(200);
  });
});

describe("the declared exports", () => {
  it("name every relation to an account or a site once", async () => {
    const { rows } = await pool().query<{ name: string }>(`
      select distinct c.conrelid::regclass::text || '.' || a.attname as name
        from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
       where c.contype = 'f' and c.confrelid in ('users'::regclass, 'sites'::regclass)
      union
      select table_name || '.' || column_name from information_schema.columns
       where table_schema = 'public' and column_name in ('user_id', 'actor_id', 'owner_id', 'inviter_id', 'reseller_id', 'site_id')`);
    const relations: Relation[] = getRegisteredDomains().flatMap(({ relations = [] }) => relations);
    const declaredRelations = relations.map(({ table, column }) => `${table}.${column}`);
    expect(new Set(declaredRelations).size).toBe(declaredRelations.length);
    expect(declaredRelations.filter((name) => name !== "users.id").sort()).toEqual(
      rows.map(({ name }) => name).sort(),
    );
    for (const { export: exported } of relations) {
      if (typeof exported === "string") expect(EXPORT_FILES).toContain(exported);
      else expect(exported.omittedBecause.length).toBeGreaterThan(10);
    }
    const exportNames = getRegisteredDomains().flatMap(({ exports = {} }) => Object.keys(exports));
    expect(exportNames.sort()).toEqual([...EXPORT_FILES].sort());
  });
});
