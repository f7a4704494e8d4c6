import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { ulid } from "ulid";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { env } from "@/server/core/env";
import { DAY, HOUR } from "@/server/core/time";
import { ADVISORY_LOCKS } from "@/server/infrastructure/database/advisory-locks";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { storage } from "@/server/infrastructure/storage/storage";
import { makeMedia, makeToken, makeUser } from "@/server/testing/factories";
import { makeDocument } from "@/server/testing/invoices";
import { openFakeS3 } from "@/server/testing/s3";
import { startTestServer } from "@/server/testing/server";
import { compareFilesJob } from "./jobs";

const s3 = await openFakeS3();
const { get } = await startTestServer({ env: s3.env });
const bucketSettings = env().s3;
afterAll(() => s3.close());
const token = await makeToken((await makeUser({ role: "admin" })).id);

const readRow = async () => {
  const { json } = await get("/api/admin/health", token);
  return json.rows.find(({ name: rowName }: { name: string }) => rowName === "stored_files");
};
const compareFiles = async () => {
  await compareFilesJob();
  const { details } = await prisma().auditEvent.findFirstOrThrow({
    where: { action: "files.compared" },
    orderBy: { id: "desc" },
  });
  return details;
};
async function storeFile(key: string, ageMs = 2 * DAY): Promise<string> {
  const changedAt = new Date(Date.now() - ageMs);
  if (env().s3) {
    s3.bucket.files.set(key, { bytes: Buffer.from("x"), changedAt });
    return key;
  }
  const path = join(env().DATA_DIR, key);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "x");
  utimesSync(path, changedAt, changedAt);
  return key;
}
/** Creates a row and file for each of the nine columns that refer to files. */
async function createReferencedFiles() {
  const newId = () => ulid();
  const { id: userId } = await makeUser();
  const pictures = ["webp", "png", "png", "png"].map(
    (extension, index) => `media/${index ? "brands" : "avatars"}/${newId()}.${extension}`,
  );
  const [avatar, logoPath, logoDarkPath, iconPath] = pictures as [string, string, string, string];
  await prisma().user.update({ where: { id: userId }, data: { avatarUrl: `/${avatar}` } });
  await prisma().brand.create({ data: { userId, productName: "Kaya", logoPath, logoDarkPath, iconPath } });
  const { fileKey, previewKey } = await makeMedia(userId, { preview: Buffer.from("x") });
  const exportKey = `exports/${newId()}.zip`;
  await prisma().dataExport.create({ data: { id: newId(), userId, state: "ready", file: exportKey } });
  const { id: paymentId } = await makeDocument({ userId, pdfKey: `invoices/${newId()}.pdf` });
  const { payment, pdfKey } = await prisma().accountingDocument.findUniqueOrThrow({
    where: { id: paymentId },
    select: { pdfKey: true, payment: { select: { receiptKey: true } } },
  });
  const keys = [...pictures, fileKey, previewKey!, exportKey, payment.receiptKey!, pdfKey!];
  for (const key of keys) await storeFile(key);
  return keys;
}

it("is grey before the first comparison", async () => {
  expect(await readRow()).toMatchObject({ light: "grey", since: null, fix: null });
});

it.each(["the data directory", "a bucket"])(
  "compares the files in %s with the rows that refer to them",
  async (storageKind) => {
    const settings = env();
    settings.s3 = storageKind === "a bucket" ? bucketSettings : undefined;
    await prisma().$transaction([
      prisma().accountingDocument.deleteMany(),
      prisma().payment.deleteMany(),
      prisma().mediaFile.deleteMany(),
      prisma().dataExport.deleteMany(),
      prisma().brand.deleteMany(),
      prisma().user.updateMany({ data: { avatarUrl: "https://lh3.example.com/media/avatars/a.webp" } }),
    ]);
    const keys = await createReferencedFiles();
    expect(await compareFiles()).toEqual({ files: 9, unnamed: 0, missing: 0, names: "" });
    expect(await readRow()).toMatchObject({ light: "green", since: expect.any(String), fix: null });

    const unusedKey = await storeFile(`media/files/0a/${ulid()}.pdf`);
    await storeFile(`media/elsewhere/${ulid()}.pdf`, 25 * HOUR);
    await storeFile(`media/files/0a/${ulid()}.pdf`, HOUR);
    await storage().write(`exports/${ulid()}.zip`, Readable.from([Buffer.from("x")]));
    // Two of four more files are older than a day.
    expect(await compareFiles()).toEqual({ files: 13, unnamed: 2, missing: 0, names: "" });
    expect(await readRow()).toMatchObject({
      light: "yellow",
      value: "Dosya: 13 · kaydı olmayan: 2 · eksik: 0",
      fix: expect.stringContaining("files.differ"),
    });

    for (const key of keys) {
      await storage().remove(key);
      expect(await compareFiles()).toEqual({ files: 12, unnamed: 2, missing: 1, names: key });
      await storeFile(key);
    }
    for (const key of [...keys, unusedKey]) await storage().remove(key);
    const result = await compareFiles();
    expect(result).toMatchObject({ files: 3, unnamed: 1, missing: 9 });
    const { light, fix } = await readRow();
    expect(light).toBe("red");
    expect(keys.filter((key) => fix.includes(key)).length).toBe(5);
    expect(await prisma().listedFile.count()).toBe(0);
  },
);

it("handles several batches and checks files again that changed during the run", async () => {
  const settings = env();
  settings.s3 = bucketSettings;
  s3.bucket.files.clear();
  await prisma().payment.updateMany({ data: { receiptKey: null } });
  await prisma().accountingDocument.updateMany({ data: { pdfKey: null } });
  await prisma().mediaFile.deleteMany();
  await prisma().dataExport.deleteMany();
  await prisma().brand.deleteMany();
  await prisma().user.updateMany({ data: { avatarUrl: null } });
  // More than two batches, and more than RECHECK_MAX of jobs.ts.
  for (let index = 0; index < 2500; index++) await storeFile(`receipts/${index}.png`);
  const user = await makeUser();
  // During the listing, an avatar is uploaded and a receipt is deleted.
  s3.beforeResponse = async (call) => {
    if (!call.includes("prefix=receipts")) return;
    s3.beforeResponse = undefined;
    await prisma().user.update({
      where: { id: user.id },
      data: { avatarUrl: `/${await storeFile(`media/avatars/${ulid()}.webp`, 0)}` },
    });
    s3.bucket.files.delete("receipts/0.png");
  };
  expect(await compareFiles()).toMatchObject({ files: 2500, unnamed: 2499, missing: 0 });
});

it("is postponed while a backup runs, because unused files stay then", async () => {
  const backupClient = await pool().connect();
  onTestFinished(() => backupClient.release());
  await backupClient.query("begin");
  await backupClient.query(`select pg_advisory_xact_lock(${ADVISORY_LOCKS.backup})`);
  const countBefore = await prisma().auditEvent.count({ where: { action: "files.compared" } });
  await compareFilesJob();
  expect(await prisma().auditEvent.count({ where: { action: "files.compared" } })).toBe(countBefore);
  const { rows } = await backupClient.query(
    "select run_at > now() + interval '50 minutes' as later from graphile_worker.jobs where task_identifier = 'compare_files'",
  );
  expect(rows).toEqual([{ later: true }]);
  await backupClient.query("rollback");
});
