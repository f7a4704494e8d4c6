import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { env } from "@/server/core/env";
import { formatText } from "@/server/core/texts";
import { fromNow, HOUR, SECOND } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { ProcessHeartbeat } from "@/server/infrastructure/process-heartbeat";
import { storage } from "@/server/infrastructure/storage/storage";
import { startFakeSmtpServer } from "@/server/testing/external-servers";
import { makeToken, makeUser } from "@/server/testing/factories";
import { makeDocument } from "@/server/testing/invoices";
import { startTestServer } from "@/server/testing/server";
import { recordBackup } from "./service/backups";
import { measureGauges } from "./service/check";

const smtpServer = await startFakeSmtpServer();
const { port, get } = await startTestServer({ env: { SMTP_URL: smtpServer.url } });
const token = await makeToken((await makeUser({ role: "admin" })).id);

interface Row {
  name: string;
  light: string;
  value: string;
  fix: string | null;
}
async function readRows(query = ""): Promise<Record<string, Row>> {
  const { status, json } = await get(`/api/admin/health${query}`, token);
  expect(status).toBe(200);
  return Object.fromEntries(json.rows.map((row: Row) => [row.name, row]));
}

function setAppUrl(url: string): void {
  const settings = env();
  const urlBefore = settings.APP_URL;
  settings.APP_URL = url;
  onTestFinished(() => {
    settings.APP_URL = urlBefore;
  });
}

describe("the health page", () => {
  it("shows a state for every part and a fix for yellow and red ones", async () => {
    const rows = await readRows();
    expect(Object.keys(rows)).toEqual(
      expect.arrayContaining(["address", "https", "database", "migrations", "disk", "queue", "accounting"]),
    );
    for (const { name, light, fix } of Object.values(rows))
      expect([name, fix !== null && !fix.startsWith("health.")]).toEqual([
        name,
        light === "yellow" || light === "red",
      ]);
    expect(rows.outgoing_mail).toMatchObject({ light: "green", value: `127.0.0.1:${smtpServer.port}` });
    expect(rows.database!.value).toMatch(/^PostgreSQL \d+\.\d+, \d+ ms$/);
  });

  it("shows unmeasured parts in grey", async () => {
    const rows = await readRows();
    const unmeasured = ["proxies", "ledger", "backups", "stored_files", "providers", "audit"];
    for (const name of [...unmeasured, "processes"])
      expect({ name, light: rows[name]!.light }).toEqual({ name, light: "grey" });
    for (const action of ["ledger.checked", "audit.checked"])
      await prisma().auditEvent.create({
        data: { action, actorKind: "system", details: { differences: 0 } },
      });
    const rowsAfter = await readRows();
    expect([rowsAfter.ledger!.light, rowsAfter.audit!.light]).toEqual(["green", "green"]);
  });

  it("shows mails in red when they wait too long and in yellow when one failed", async () => {
    const readLight = async () => (await readRows()).failed_mails!.light;
    const data = { toAddress: "a@example.com", template: "verify_email", locale: "tr" };
    expect(await readLight()).toBe("green");
    const { id } = await prisma().mailMessage.create({
      data: { ...data, sealed: new Uint8Array([1]), createdAt: fromNow(-HOUR) },
    });
    expect(await readLight()).toBe("red");
    await prisma().mailMessage.update({ where: { id }, data: { state: "failed" } });
    expect(await readLight()).toBe("yellow");
    await prisma().mailMessage.delete({ where: { id } });
  });

  it("shows failed invoices in yellow", async () => {
    const readRow = async () => (await readRows()).failed_invoices!;
    expect((await readRow()).light).toBe("green");
    await makeDocument({ state: "failed", step: "queued" });
    expect(await readRow()).toMatchObject({
      light: "yellow",
      value: formatText("tr", "health.values.failed", { count: 1 }),
    });
  });

  it("verifies the public URL and counts the proxies", async () => {
    setAppUrl(`http://127.0.0.1:${port}`);
    const rows = await readRows();
    expect(rows.address!.light).toBe("green");
    // The test server trusts one proxy but has no proxy.
    expect(rows.proxies).toMatchObject({ light: "yellow" });
    expect(rows.proxies!.value).toContain("1");
    expect(rows.proxies!.fix).toContain("TRUSTED_PROXY_HOPS=0");
  });

  it("shows the address in red when another server responds", async () => {
    const otherServer = createServer((_req, res) => res.end('{"proof":"of-another","forwarded":0}'));
    await new Promise<void>((resolve) => otherServer.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void otherServer.close());
    setAppUrl(`http://127.0.0.1:${(otherServer.address() as AddressInfo).port}`);
    const rows = await readRows();
    expect([rows.address!.light, rows.proxies!.light]).toEqual(["red", "grey"]);
  });

  it("compares the browser's clock with the server's", async () => {
    const readLight = async (minutes: number) => {
      const time = new Date(Date.now() - minutes * 60_000).toISOString();
      return (await readRows(`?browser_time=${time}`)).browser_clock?.light;
    };
    expect([await readLight(0), await readLight(2), await readLight(60)]).toEqual(["green", "yellow", "red"]);
  });

  it("lists running processes and detects mixed releases and separate file storages", async () => {
    const heartbeat = new ProcessHeartbeat("server");
    await heartbeat.beat();
    await heartbeat.beat();
    const { json } = await get("/api/admin/health", token);
    expect(json.processes).toHaveLength(1);
    expect(json.processes[0]).toMatchObject({ role: "server", pid: process.pid });
    const beatFields = { pid: 1, role: "worker", startedAt: new Date(), seenAt: new Date() };
    const addProcess = (data: { id: string; host: string; version: string; storage: string }) =>
      prisma().processBeat.create({ data: { ...beatFields, ...data } });
    const { host, version } = json.processes[0];
    await addProcess({ id: "shares", host: "another", version, storage: await storage().getStorageId() });
    expect((await readRows()).processes).toMatchObject({ light: "green", fix: null });
    await addProcess({ id: "newer", host, version: "99.0.0", storage: "local" });
    expect((await readRows()).processes).toMatchObject({ light: "yellow" });
    await addProcess({ id: "elsewhere", host: "another", version, storage: "folder of its own" });
    expect((await readRows()).processes).toMatchObject({
      light: "red",
      fix: expect.stringContaining("DATA_DIR"),
    });
    await prisma().processBeat.updateMany({
      where: { id: "elsewhere" },
      data: { seenAt: new Date(Date.now() - 91_000) },
    });
    expect((await readRows()).processes).toMatchObject({ light: "yellow" });
    await heartbeat.stop();
    expect((await get("/api/admin/health", token)).json.processes).toHaveLength(2);
  });

  it("shows the age of the last backup, which a demo does not need", async () => {
    const readBackupRow = async () => (await readRows()).backups;
    expect(await readBackupRow()).toMatchObject({ light: "grey", fix: null });
    const settings = env();
    const settingsBefore = { APP_MODE: settings.APP_MODE, BACKUPS: settings.BACKUPS };
    onTestFinished(() => void Object.assign(settings, settingsBefore));
    settings.APP_MODE = "production";
    expect(await readBackupRow()).toMatchObject({
      light: "yellow",
      fix: expect.stringContaining("npm run backup"),
    });
    const lastBackupAt = new Date(Date.now() - 26 * HOUR);
    await prisma().auditEvent.create({
      data: { at: lastBackupAt, action: "backup.made", actorKind: "system" },
    });
    expect(await readBackupRow()).toMatchObject({ light: "yellow", value: expect.stringContaining("26") });
    await recordBackup({ snapshotAt: "", tables: 1, rows: 2, files: 3, bytes: 4, backupBytes: 5 });
    expect(await readBackupRow()).toMatchObject({ light: "green", fix: null });
    expect((await measureGauges(withoutTransaction())).backup_age_seconds).toBeLessThan(HOUR / SECOND);
    settings.BACKUPS = "elsewhere";
    expect(await readBackupRow()).toMatchObject({ light: "grey", fix: null });
  });

  it("shows workers in red when none is alive", async () => {
    await prisma().processBeat.deleteMany();
    expect((await readRows()).workers).toMatchObject({
      light: "red",
      fix: expect.stringContaining("npm run worker"),
    });
    await prisma().$executeRaw`insert into job_workers (id, seen_at) values ('worker-1', now())`;
    expect((await readRows()).workers).toMatchObject({ light: "green", fix: null });
    await prisma().$executeRaw`update job_workers set seen_at = now() - interval '40 seconds'`;
    expect((await readRows()).workers).toMatchObject({ light: "red" });
    const startingHeartbeat = new ProcessHeartbeat("server");
    await startingHeartbeat.beat();
    expect((await readRows()).workers).toMatchObject({ light: "grey", fix: null });
    await startingHeartbeat.stop();
  });

  it("lists environment variables without secrets", async () => {
    const { json } = await get("/api/admin/environment", token);
    const findVariable = (name: string) =>
      json.variables.find((each: { name: string }) => each.name === name);
    expect(findVariable("APP_URL")).toMatchObject({ value: "http://panel.test", set: true, secret: false });
    expect(findVariable("DATABASE_URL")).toEqual({
      name: "DATABASE_URL",
      value: null,
      set: true,
      secret: true,
    });
    expect(findVariable("SMTP_URL")).toMatchObject({ value: null, set: true });
    expect(findVariable("PARASUT_PASSWORD")).toMatchObject({ value: null, set: false, secret: true });
    expect(findVariable("PORT")).toMatchObject({ set: false, secret: false });
  });
});
