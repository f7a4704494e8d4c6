import { ARABIC_PHONE, expect, expectAccessible, expectNoSidewaysScroll, open, test } from "./fixtures";
import type { Translator } from "./translator";

/** Exports of common programs, with the matched columns, invited people and outcomes of rejected rows. */
const ADDRESS_BOOKS = [
  {
    file: "google-old.csv",
    columns: ["Given Name", "Family Name", "E-mail 1 - Value", "Phone 1 - Value"],
    invited: ["Ayşe Kaya", "Mehmet Öz"],
    rejected: ["email_invalid"],
  },
  {
    file: "google-new.csv",
    columns: ["First Name", "Last Name", "E-mail 1 - Value", "Phone 1 - Value"],
    invited: ["Ayşe Kaya", "Mehmet Öz"],
    rejected: ["email_invalid"],
  },
  {
    file: "outlook-en.csv",
    columns: ["First Name", "Last Name", "E-mail Address", "Mobile Phone"],
    invited: ["Jörg Weiß", "Anna Müller"],
    rejected: ["email_invalid"],
  },
  {
    file: "outlook-tr.csv",
    columns: ["Ad", "Soyadı", "E-posta Adresi", "Cep Telefonu"],
    invited: ["Işıl Çağlar", "Ayşe Şahin"],
    rejected: ["email_invalid"],
  },
  {
    file: "excel-tr.csv",
    columns: ["Adı Soyadı", undefined, "E-posta", "GSM"],
    invited: ["Işıl Çağlar", "Şükrü Öğüt"],
    rejected: ["phone_invalid"],
  },
  {
    file: "excel-utf8.csv",
    columns: ["Customer name", undefined, "Contact e-mail", "Phone"],
    invited: ['Kaya "Kahve" Ltd', "Smith, John"],
    rejected: [],
  },
  {
    file: "excel-unicode.txt",
    columns: ["Ad", "Soyad", "E-posta adresi", "Cep"],
    invited: ["Işıl Çağlar", "Олег Ким"],
    rejected: [],
  },
  {
    file: "libreoffice.csv",
    columns: ["Vorname", "Nachname", "E-Mail", "Telefon"],
    invited: ["Jörg Weiß", "Anna Müller"],
    rejected: [],
  },
  {
    file: "numbers.csv",
    columns: ["İsim", "Soyisim", "E-posta", "Telefon"],
    invited: ["Ayşe Kaya", "Mehmet Öz"],
    rejected: [],
  },
  {
    file: "thunderbird.csv",
    columns: ["First Name", "Last Name", "Primary Email", "Mobile Number"],
    invited: ["Ayşe Kaya", "Mehmet Öz"],
    rejected: [],
  },
] as const;

const IMPORT_FIELDS = ["name", "last_name", "email", "phone"] as const;

const getFieldLabel = (t: Translator, field: (typeof IMPORT_FIELDS)[number]) =>
  field === "last_name" || field === "phone"
    ? `${t(`customerImport.map.${field}`)} ${t("ui.field.optional")}`
    : t(`customerImport.map.${field}`);

test("address books of ten programs are matched automatically and imported", async ({ page, signIn, t }) => {
  await signIn(page, "reseller@example.com");
  await open(page, "/reseller/customers/import");
  for (const { file, columns, invited, rejected } of ADDRESS_BOOKS) {
    await page
      .getByLabel(t("customerImport.file.label"))
      .last()
      .setInputFiles(`server/testing/tables/${file}`);
    await expect(page.getByRole("region", { name: t("customerImport.map.sample") }), file).toBeVisible();
    for (const [index, field] of IMPORT_FIELDS.entries())
      await expect(
        page.getByLabel(getFieldLabel(t, field), { exact: true }).locator("option:checked"),
        `${file}: ${field}`,
      ).toHaveText(
        columns[index] ? new RegExp(`^\u2068${columns[index]}\u2069 · .`) : t("customerImport.map.none"),
      );
    await page.getByRole("button", { name: t("customerImport.preview.run") }).click();
    await expect(page.getByText(t("customerImport.outcome.invited"), { exact: true }), file).toHaveCount(
      invited.length,
    );
    const importTable = page.getByRole("table", { name: t("customerImport.table.caption") });
    for (const name of invited)
      await expect(
        importTable.getByRole("row").filter({ hasText: name }).getByText(t("customerImport.outcome.invited")),
        `${file}: ${name}`,
      ).toBeVisible();
    for (const outcome of rejected)
      await expect(importTable.getByText(t(`customerImport.outcome.${outcome}`)), file).toHaveCount(1);
    await page.getByRole("button", { name: t("customerImport.preview.again") }).click();
  }
});

test("a file without headings is corrected, and the line of a syntax error is shown", async ({
  page,
  signIn,
  t,
}) => {
  await signIn(page, "reseller@example.com");
  await open(page, "/reseller/customers/import");
  const chooseFile = (name: string, text: string) =>
    page
      .getByLabel(t("customerImport.file.label"))
      .last()
      .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  await chooseFile("open.csv", 'Ad;E-posta\nA;a@example.com\n"B;b@example.com\n');
  await expect(page.getByText(t("validation.import_quote_open", { line: 3, column: 1 }))).toBeVisible();

  // The first row has no e-mail address, so it is taken for headings.
  await chooseFile("people.csv", "Ayşe Kaya,,x\nMehmet Öz,mehmet@headings.example.com,y\n");
  const importTable = page.getByRole("table", { name: t("customerImport.table.caption") });
  await expect(importTable.getByText("Ayşe Kaya")).toHaveCount(0);
  await page.getByRole("switch", { name: t("customerImport.map.header") }).uncheck();
  await expect(importTable.getByText("Ayşe Kaya")).toBeVisible();
  await page.getByLabel(getFieldLabel(t, "last_name"), { exact: true }).selectOption({ value: "2" });
  await expect(importTable.getByText("Mehmet Öz y")).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
});

test("the preview of a long file shows twenty rows a page, those with a problem first", async ({
  page,
  signIn,
  t,
}) => {
  const people = Array.from(
    { length: 24 },
    (_, index) => `Person ${index + 1},p${index + 1}@long.example.com`,
  );
  await signIn(page, "reseller@example.com");
  await open(page, "/reseller/customers/import");
  await page
    .getByLabel(t("customerImport.file.label"))
    .last()
    .setInputFiles({
      name: "long.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(["Name,E-mail", ...people, "Broken,none"].join("\n")),
    });
  const importTable = page.getByRole("table", { name: t("customerImport.table.caption") });
  await expect(importTable.getByText("Broken")).toBeVisible();
  await expect(importTable.getByText("Person 24")).toHaveCount(0);
  await page.getByRole("button", { name: t("ui.table.next") }).click();
  await expect(importTable.getByText("Person 24")).toBeVisible();
  await expect(importTable.getByText("Broken")).toHaveCount(0);
});

test.describe("on a phone, in Arabic and dark", () => {
  test.use(ARABIC_PHONE);

  test("a customer file is matched, previewed and imported", { tag: "@main" }, async ({
    page,
    signIn,
    t,
  }) => {
    const stamp = Date.now();
    await signIn(page, "reseller@example.com");
    await open(page, "/reseller/customers");
    await page.getByRole("link", { name: t("customers.import") }).click();
    await expect(page.getByRole("heading", { name: t("customerImport.title"), exact: true })).toBeVisible();
    await page
      .getByLabel(t("customerImport.file.label"))
      .last()
      .setInputFiles({
        name: "müşteriler.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(
          `Adı;E-posta;Notlar\nYeni Biri;yeni.${stamp}@example.com;x\nBozuk;yok;y\nAyşe;customer@example.com;z\n`,
        ),
      });
    await expect(page.getByText(t("customerImport.preview.title"))).toBeVisible();
    await expect(page.getByText(t("customerImport.outcome.email_invalid"))).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole("button", { name: t("customerImport.preview.run") }).click();
    await expect(page.getByText(t("customerImport.outcome.has_account"))).toBeVisible();
    await expect(page.getByText(t("customerImport.outcome.invited"), { exact: true })).toBeVisible();
    await page.reload();
    await expect(page.getByText(t("customerImport.outcome.has_account"))).toBeVisible();
  });
});
