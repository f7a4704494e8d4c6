import { describe, expect, it } from "vitest";
import { makeReseller, makeToken, makeUser } from "@/server/testing/factories";
import { buildMultipartForm } from "@/server/testing/multipart";
import { startTestServer } from "@/server/testing/server";
import { detectMapping } from "./service/detect-mapping";
import { readTable } from "./service/read-table";
import { parseStoredTable } from "./service/table";

const server = await startTestServer();
const { call } = server;

async function uploadFile(csv: string, filename = "people.csv") {
  const { id } = await makeUser({ role: "reseller" });
  await makeReseller(id);
  const token = await makeToken(id);
  const { status, json, text } = await call("POST", "/api/reseller/imports", {
    token,
    ...buildMultipartForm([{ name: "file", filename, bytes: csv }]),
  });
  expect(status, text).toBe(201);
  const response = await call("GET", `/api/reseller/imports/${json.import.id}`, { token });
  expect(response.json.import).toEqual(json.import);
  return json.import;
}

describe("headings", () => {
  it.each([
    [["Telefon", "E-posta adresi", "Ad Soyad"], { name: 2, last_name: null, email: 1, phone: 0 }],
    [["Adres", "Ad Soyad", "E-posta"], { name: 1, last_name: null, email: 2, phone: null }],
    [["Kadın", "Soyadı", "ADI", "Otel", "Cep no"], { name: 2, last_name: 1, email: null, phone: 4 }],
    [["Hôtel", "Prénom", "Nom", "Tél.", "E-mail"], { name: 1, last_name: 2, email: 4, phone: 3 }],
    [["Cognome", "Nome", "Email", "Telefono"], { name: 1, last_name: 0, email: 2, phone: 3 }],
    [["adres", "AdSoyad", "TelNo", "eposta"], { name: 1, last_name: null, email: 3, phone: 2 }],
    [["имя", "эл. почта"], { name: 0, last_name: null, email: 1, phone: null }],
    [["Отель", "Телефон"], { name: null, last_name: null, email: null, phone: 1 }],
    [["الاسم", "البريد الإلكتروني", "الهاتف"], { name: 0, last_name: null, email: 1, phone: 2 }],
    [["Posta kodu", "Name", "E-Mail"], { name: 1, last_name: null, email: 2, phone: null }],
    [["a", "b"], { name: null, last_name: null, email: null, phone: null }],
  ])("are mapped to fields: %j", (columns, mapping) => {
    expect(detectMapping(columns)).toEqual(mapping);
  });
});

describe("rows", () => {
  it.each([
    ["empty lines", "name,email\n\n\nAli,not-a-mail", [4]],
    ["rows of separators", 'name,email\nA,a@example.com\n,\n  \n"",\nB,b@example.com\n,\n,\n', [2, 6]],
    ["a cell of two lines", 'name,email\n"A\nB",a@example.com\nC,c@example.com', [2, 3]],
    ["empty lines above the headings", "\n\nname,email\n\nA,a@example.com", [3]],
  ])("keep their numbers in the file: %s", async (_, csv, rowNumbers) => {
    const { rows, total } = await uploadFile(csv);
    expect(rows.map(({ row }: { row: number }) => row)).toEqual(rowNumbers);
    expect(total).toBe(rowNumbers.length);
  });

  it("of an import from an earlier release are numbered consecutively", () => {
    const storedRows = [
      ["name", "email"],
      ["A", "a@example.com"],
      ["B", "b@example.com"],
    ];
    expect(parseStoredTable(storedRows, 1)).toEqual({
      columns: ["name", "email"],
      headingRow: 1,
      rows: [
        { row: 2, cells: ["A", "a@example.com"] },
        { row: 3, cells: ["B", "b@example.com"] },
      ],
    });
    expect(parseStoredTable([], 1)).toEqual({ columns: [], headingRow: 1, rows: [] });
  });

  it("can have a long cell that is cut within an emoji", async () => {
    const cell = `${"x".repeat(499)}😀`;
    const { columns, rows } = await uploadFile(`name,email,${cell}\n${cell},a@example.com,${cell}`);
    expect(columns[2]).toBe(`${"x".repeat(499)}\uFFFD`);
    expect(rows).toMatchObject([{ row: 2, outcome: "name_invalid" }]);
  });

  it("beyond the limit are rejected before all are read", () => {
    const startedAt = performance.now();
    for (const row of ["a\n", '""\n'])
      expect(() => readTable(Buffer.from(`name,email\n${row.repeat(500_000)}A,a@example.com`))).toThrow(
        expect.objectContaining({
          extras: { issues: { file: [expect.objectContaining({ key: "import_too_long" })] } },
        }),
      );
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });
});

describe("a file name", () => {
  it.each([
    ["with a NUL", `x.csv"; filename*=UTF-8''a%00b.csv; x="`, "ab.csv"],
    ["with a path and a direction override", `x.csv"; filename*=UTF-8''C:%5Ca%E2%80%AE.csv; x="`, "a.csv"],
    ["that is cut within an emoji", `${"x".repeat(199)}😀.csv`, `${"x".repeat(199)}😀`],
    ["of invisible characters", `x.csv"; filename*=UTF-8''%00%01; x="`, null],
  ])("is stored in printable form: %s", async (_, filename, storedName) => {
    expect((await uploadFile("name,email\nA,a@example.com", filename)).file_name).toBe(storedName);
  });
});
