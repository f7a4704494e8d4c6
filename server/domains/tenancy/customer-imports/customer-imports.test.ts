import { describe, expect, it } from "vitest";
import { exchangeForSession } from "@/server/domains/access/tokens/service/tokens";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeReseller, makeToken, makeUser } from "@/server/testing/factories";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { buildMultipartForm } from "@/server/testing/multipart";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";
import { importCustomersJob } from "./jobs";
import { readTable } from "./service/read-table";

const server = await startTestServer();
const { call, runJobs } = server;

async function makeSignedReseller() {
  const user = await makeUser({ role: "reseller" });
  await makeReseller(user.id);
  return { ...user, token: await makeToken(user.id) };
}

async function uploadFile(token: string, bytes: string | Uint8Array) {
  await resetRateLimits();
  return call("POST", "/api/reseller/imports", {
    token,
    ...buildMultipartForm([{ name: "file", filename: "müşteriler.csv", bytes: bytes as string }]),
  });
}

async function importFile(token: string, csv: string) {
  const { json } = await uploadFile(token, csv);
  const { id, mapping } = json.import;
  await call("PUT", `/api/reseller/imports/${id}`, { token, body: { mapping } });
  const { status } = await call("POST", `/api/reseller/imports/${id}/run`, { token });
  expect(status).toBe(200);
  await runJobs();
  const { json: finalResponse } = await call("GET", `/api/reseller/imports/${id}`, { token });
  return finalResponse.import;
}

const toRowOutcomes = (rows: Array<{ row: number; outcome: string }>) =>
  rows.map(({ row, outcome }) => [row, outcome] as const);

const encodeLatin5 = (text: string) =>
  Uint8Array.from([...text], (letter) => {
    const index = "ĞİŞğış".indexOf(letter);
    return index < 0 ? letter.charCodeAt(0) : [0xd0, 0xdd, 0xde, 0xf0, 0xfd, 0xfe][index]!;
  });

describe("a file", () => {
  const table = {
    columns: ["Adı", "E-posta"],
    headingRow: 1,
    rows: [{ row: 2, cells: ["Işıl Şahin", "isil@example.com"] }],
  };
  const text = 'Adı;E-posta\r\n"Işıl Şahin";isil@example.com\r\n';
  it.each([
    ["UTF-8 with a byte order mark", new TextEncoder().encode(`\uFEFF${text}`)],
    ["Latin-5", encodeLatin5(text)],
    ["UTF-16", Buffer.from(`\uFEFF${text}`, "utf16le")],
    ["commas and empty lines", new TextEncoder().encode(`${text.replaceAll(";", ",")}\n\n,\n`)],
    ["tabs", new TextEncoder().encode(text.replaceAll(";", "\t"))],
  ])("is read with %s", (_, bytes) => {
    expect(readTable(bytes)).toEqual(table);
  });

  it("keeps a phone number that our own export escaped", () => {
    const { rows } = readTable(
      new TextEncoder().encode('name,email,phone\nA,a@example.com,"\'+905321234567"'),
    );
    expect(rows[0]?.cells[2]).toBe("+905321234567");
  });

  it.each([
    ["an empty file", ""],
    ["headings alone", "name,email"],
    ["an unclosed quotation mark", 'name,email\n"A,a@example.com'],
    ["a picture", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"],
    ["1,001 rows", `name,email\n${"A,a@example.com\n".repeat(1001)}`],
  ])("is rejected: %s", async (_, csv) => {
    const { status, json } = await uploadFile((await makeSignedReseller()).token, csv);
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual(["file"]);
  });

  it("is rejected above 2 MB", async () => {
    const { status } = await uploadFile(
      (await makeSignedReseller()).token,
      `name,email\n${"x".repeat(2 * 1024 * 1024)}`,
    );
    expect(status).toBe(413);
  });
});

describe("an import", () => {
  it("previews the problem of each row and invites the others once", async () => {
    const { token, id } = await makeSignedReseller();
    const ownCustomer = await makeUser({ resellerId: id });
    const stranger = await makeUser();
    const csv = [
      "Ad,E-posta,Telefon",
      "Ayşe Kaya,ayse.import@example.com,0532 123 45 67",
      "Kaya Ayşe,AYSE.IMPORT@example.com,",
      ",nameless@example.com,",
      "Nobody,not-an-address,",
      "=HYPERLINK(1),formula@example.com,",
      "Biri,biri@example.com,=1+1",
      `Mine,${ownCustomer.email},`,
      `Foreign,${stranger.email},`,
      "Throwaway,somebody@mailinator.com,",
      "Mehmet,mehmet.import@example.com,abc",
    ].join("\n");
    const { json } = await uploadFile(token, csv);
    const previewOutcomes = [
      [2, "ready"],
      [3, "duplicate"],
      [4, "name_invalid"],
      [5, "email_invalid"],
      [6, "formula"],
      [7, "formula"],
      [8, "ready"],
      [9, "ready"],
      [10, "ready"],
      [11, "phone_invalid"],
    ];
    expect(toRowOutcomes(json.import.rows)).toEqual(previewOutcomes);
    const { id: importId } = json.import;
    const unmappedResponse = await call("POST", `/api/reseller/imports/${importId}/run`, { token });
    expect(unmappedResponse).toMatchObject({ status: 422, json: { success: false } });
    const finishedImport = await importFile(token, csv);
    expect(finishedImport).toMatchObject({ state: "done", done: 10, total: 10 });
    expect(toRowOutcomes(finishedImport.rows)).toEqual([
      [2, "invited"],
      ...previewOutcomes.slice(1, 6),
      [8, "has_account"],
      [9, "has_account"],
      [10, "refused"],
      [11, "phone_invalid"],
    ]);
    expect(await deliverAndReadMails(server, "ayse.import@example.com", "customer_invitation")).toHaveLength(
      1,
    );
    const invitations = await prisma().customerInvitation.findMany({
      where: { resellerId: id },
      select: { phone: true },
    });
    expect(invitations).toEqual([{ phone: "+905321234567" }]);
    expect((await prisma().user.findUniqueOrThrow({ where: { id: stranger.id } })).resellerId).toBeNull();
    const repeatedImport = await importFile(token, csv);
    expect(repeatedImport.rows[0].outcome).toBe("invited_already");
  });

  it("joins a separate last name and can turn the headings into a row", async () => {
    const { token } = await makeSignedReseller();
    const { json } = await uploadFile(token, "Ad;Soyad;E-posta\nAyşe;Kaya;own.column@example.com");
    const { id, mapping, ...preview } = json.import;
    expect(mapping).toEqual({ name: 0, last_name: 1, email: 2, phone: null });
    expect(preview).toMatchObject({
      columns: ["Ad", "Soyad", "E-posta"],
      has_header: true,
      examples: ["Ayşe", "Kaya", "own.column@example.com"],
      sample: [{ row: 2, cells: ["Ayşe", "Kaya", "own.column@example.com"] }],
      rows: [{ row: 2, name: "Ayşe Kaya", outcome: "ready" }],
    });
    const path = `/api/reseller/imports/${id}`;
    const putImport = async (body: object) => (await call("PUT", path, { token, body })).json.import;
    expect((await putImport({ mapping: { name: 0, email: 2 } })).rows).toMatchObject([
      { row: 2, name: "Ayşe" },
    ]);
    const importWithoutHeader = await putImport({ has_header: false, mapping });
    expect(importWithoutHeader).toMatchObject({
      has_header: false,
      columns: ["1. sütun", "2. sütun", "3. sütun"],
      total: 2,
    });
    expect(importWithoutHeader.rows).toMatchObject([
      { row: 1, name: "Ad Soyad", outcome: "email_invalid" },
      { row: 2, name: "Ayşe Kaya", outcome: "ready" },
    ]);
    expect(await putImport({ has_header: true })).toMatchObject({
      columns: ["Ad", "Soyad", "E-posta"],
      total: 1,
    });
    const simultaneousCalls = [{ has_header: false }, { mapping }, { has_header: true }, { mapping }].map(
      (body) => call("PUT", path, { token, body }),
    );
    expect((await Promise.all(simultaneousCalls)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await putImport({ has_header: true, mapping });
    expect((await call("POST", `${path}/run`, { token })).status).toBe(200);
    await runJobs();
    const { rows } = (await call("GET", path, { token })).json.import;
    expect(rows).toMatchObject([{ name: "Ayşe Kaya", outcome: "invited" }]);
    expect((await call("PUT", path, { token, body: { has_header: false } })).status).toBe(422);
  });

  it("resumes after a crash without mailing anyone twice", async () => {
    const { token, id } = await makeSignedReseller();
    // Several batches of `BATCH_SIZE` in jobs.ts.
    const rows = Array.from({ length: 130 }, (_, index) => `Person ${index},go.on.${index}@example.com`);
    const { json } = await uploadFile(token, `name,email\n${rows.join("\n")}`);
    const { id: importId, mapping } = json.import;
    await call("PUT", `/api/reseller/imports/${importId}`, { token, body: { mapping } });
    await call("POST", `/api/reseller/imports/${importId}/run`, { token });
    await runConcurrently(2, () => importCustomersJob({ importId }));
    await importCustomersJob({ importId });
    const importRow = await prisma().customerImport.findUniqueOrThrow({ where: { id: importId } });
    expect(importRow.state).toBe("done");
    expect(importRow.done).toBe(130);
    expect((importRow.report as unknown[]).length).toBe(130);
    expect(await prisma().customerInvitation.count({ where: { resellerId: id } })).toBe(130);
    expect(importRow.rows).toEqual([["name", "email"]]);
    const response = (await call("GET", `/api/reseller/imports/${importId}`, { token })).json.import;
    expect({ columns: response.columns, mapping: response.mapping, length: response.rows.length }).toEqual({
      columns: ["name", "email"],
      mapping,
      length: 130,
    });
  });

  it("stops inviting when the reseller loses the right to", async () => {
    const { token, id } = await makeSignedReseller();
    const { json } = await uploadFile(token, "name,email\nA,stopped@example.com");
    const { id: importId, mapping } = json.import;
    await call("PUT", `/api/reseller/imports/${importId}`, { token, body: { mapping } });
    await call("POST", `/api/reseller/imports/${importId}/run`, { token });
    await prisma().reseller.update({
      where: { userId: id },
      data: { agreementSignedAt: null, agreementVersion: null },
    });
    await runJobs();
    const importRow = await prisma().customerImport.findUniqueOrThrow({ where: { id: importId } });
    expect(importRow.report).toMatchObject([{ outcome: "stopped" }]);
    expect(await prisma().customerInvitation.count({ where: { resellerId: id } })).toBe(0);
  });

  // 30 is the limit of service/report-limit.ts.
  it("reports thirty accounts of others per hour and resumes an hour later", async () => {
    await resetRateLimits();
    const { token, id } = await makeSignedReseller();
    const addresses = Array.from({ length: 41 }, (_, index) => `member.${id}.${index}@example.com`);
    for (const email of addresses) await makeUser({ email });
    const ownCustomer = await makeUser({ resellerId: id });
    const rows = [
      ownCustomer.email,
      ...addresses.slice(0, 35),
      `free.${id}@example.com`,
      ...addresses.slice(35),
    ];
    const csv = `name,email\n${rows.map((email) => `Person,${email}`).join("\n")}`;
    const laterCsv = `name,email\nPerson,${addresses[40]}\nPerson,other.${id}@example.com`;
    const { json } = await uploadFile(token, laterCsv);
    const firstImport = await importFile(token, csv);
    expect(firstImport).toMatchObject({ state: "running", done: 31, continues_at: expect.any(String) });
    const waitMs = Date.parse(firstImport.continues_at) - Date.now();
    expect(waitMs).toBeGreaterThan(3_500_000);
    expect(waitMs).toBeLessThanOrEqual(3_601_000);
    expect(await prisma().customerInvitation.count({ where: { resellerId: id } })).toBe(0);
    const path = `/api/reseller/imports/${json.import.id}`;
    await call("PUT", path, { token, body: { mapping: json.import.mapping } });
    await call("POST", `${path}/run`, { token });
    await runJobs();
    const secondImport = (await call("GET", path, { token })).json.import;
    expect(secondImport).toMatchObject({ state: "running", done: 0 });
    await runConcurrently(5, () => importCustomersJob({ importId: firstImport.id }));
    const readFirstImport = async () =>
      (await call("GET", `/api/reseller/imports/${firstImport.id}`, { token })).json.import;
    expect(await readFirstImport()).toMatchObject({ done: 31 });

    await resetRateLimits();
    await pool().query(
      "select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker._private_jobs",
    );
    await runJobs();
    const finishedImport = await readFirstImport();
    expect(finishedImport).toMatchObject({ state: "done", done: 43, continues_at: null });
    const reportedOutcomes = finishedImport.rows.map(({ outcome }: { outcome: string }) => outcome);
    expect(reportedOutcomes.filter((outcome: string) => outcome === "has_account")).toHaveLength(42);
    expect(reportedOutcomes[36]).toBe("invited");
  });

  it("invites three hundred people in one import", async () => {
    const { token, id } = await makeSignedReseller();
    const rows = Array.from({ length: 300 }, (_, index) => `Person,customer.${id}.${index}@example.com`);
    const finishedImport = await importFile(token, `name,email\n${rows.join("\n")}`);
    expect(finishedImport).toMatchObject({ state: "done", done: 300, continues_at: null });
    expect(await prisma().customerInvitation.count({ where: { resellerId: id } })).toBe(300);
  });

  it("can be started once and only accessed by its reseller", async () => {
    const [{ token }, otherReseller] = [await makeSignedReseller(), await makeSignedReseller()];
    const { json } = await uploadFile(token, "name,email\nA,once.only@example.com");
    const { id, mapping } = json.import;
    const path = `/api/reseller/imports/${id}`;
    expect((await call("PUT", path, { token, body: { mapping: { name: 0, email: 0 } } })).status).toBe(422);
    expect((await call("PUT", path, { token, body: { mapping: { name: 0, email: 2 } } })).status).toBe(422);
    await call("PUT", path, { token, body: { mapping } });
    await resetRateLimits();
    const responses = await runConcurrently(10, () => call("POST", `${path}/run`, { token }));
    expect(countByStatus(responses)).toEqual({ 200: 1, 422: 9 });
    expect((await call("PUT", path, { token, body: { mapping } })).status).toBe(422);
    for (const [method, requestPath] of [
      ["GET", path],
      ["PUT", path],
      ["POST", `${path}/run`],
    ] as const)
      expect(
        (
          await call(method, requestPath, {
            token: otherReseller.token,
            body: method === "PUT" ? { mapping } : undefined,
          })
        ).status,
      ).toBe(403);
    expect((await call("GET", "/api/reseller/imports", { token })).json.imports).toHaveLength(1);
  });
});

describe("the CSV download of customers", () => {
  it("applies search and filters, escapes formulas and is closed to other accounts", async () => {
    const { token, id } = await makeSignedReseller();
    await makeUser({ resellerId: id, name: "Işıl Şahin", phone: "+905321234567" });
    await makeUser({ resellerId: id, name: "=1+1", isActive: false });
    const downloadLines = async (query: string) =>
      (await call("GET", `/api/reseller/customers.csv${query}`, { token })).text
        .replace("\uFEFF", "")
        .split("\r\n");
    const [heading, ...rows] = await downloadLines("");
    expect(heading).toContain("active_licenses_count");
    expect(rows.filter(Boolean)).toHaveLength(2);
    expect((await downloadLines("?search=I%C5%9EIL")).join()).toContain("'+905321234567");
    expect((await downloadLines("?is_active=false")).join()).toContain("'=1+1");
    expect((await downloadLines("?search=%25")).filter(Boolean)).toHaveLength(1);
    const { json } = await uploadFile(token, (await downloadLines("?is_active=true")).join("\r\n"));
    expect(json.import.rows).toMatchObject([
      { name: "Işıl Şahin", phone: "+905321234567", outcome: "ready" },
    ]);
    const sessionSecret = (await exchangeForSession(
      withoutTransaction(),
      await makeToken((await makeUser()).id),
    ))!.secret;
    const sessionOptions = { headers: { cookie: `session=${sessionSecret}`, origin: "http://panel.test" } };
    expect((await call("GET", "/api/reseller/customers.csv", sessionOptions)).status).toBe(403);
  });
});
