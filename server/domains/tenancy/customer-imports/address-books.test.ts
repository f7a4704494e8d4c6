import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  getImportIssue,
  readCustomerRows as people,
  readCustomerTable,
} from "@/server/testing/customer-table";
import { IMPORT_MAX_COLUMNS } from "./policy";

const readSampleFile = (name: string) => readCustomerTable(readFileSync(`server/testing/tables/${name}`));

function encodeInCodePage(name: string, text: string): Uint8Array {
  const decoder = new TextDecoder(name);
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const),
  );
  return Uint8Array.from([...text], (letter) => bytes.get(letter)!);
}

describe("an address book", () => {
  it.each([
    [
      "google-old.csv",
      { name: "Given Name", last_name: "Family Name", email: "E-mail 1 - Value", phone: "Phone 1 - Value" },
      [
        [2, "Ayşe Kaya", "ayse.kaya@google-old.example.com", "+90 532 123 45 67", "ready"],
        [3, "Tesisatçı", null, "0532 123 45 60", "email_invalid"],
        [4, "Mehmet Öz", "mehmet.oz@google-old.example.com", null, "ready"],
      ],
    ],
    [
      "google-new.csv",
      { name: "First Name", last_name: "Last Name", email: "E-mail 1 - Value", phone: "Phone 1 - Value" },
      [
        [2, "Tesisatçı", null, "0532 123 45 60", "email_invalid"],
        [3, "Ayşe Kaya", "ayse.kaya@google-new.example.com", "+90 532 123 45 67", "ready"],
        [4, "Mehmet Öz", "mehmet.oz@google-new.example.com", null, "ready"],
      ],
    ],
    [
      "outlook-en.csv",
      { name: "First Name", last_name: "Last Name", email: "E-mail Address", phone: "Mobile Phone" },
      [
        [2, "Jörg Weiß", "joerg.weiss@outlook-en.example.com", "+49 170 1234567", "ready"],
        [3, "Anna Müller", "ikinci@outlook-en.example.com", "0532 123 45 67", "ready"],
        [4, "Büro", null, null, "email_invalid"],
      ],
    ],
    [
      "outlook-tr.csv",
      { name: "Ad", last_name: "Soyadı", email: "E-posta Adresi", phone: "Cep Telefonu" },
      [
        [2, "Işıl Çağlar", "joerg.weiss@outlook-tr.example.com", "+49 170 1234567", "ready"],
        [3, "Ayşe Şahin", "ikinci@outlook-tr.example.com", "0532 123 45 67", "ready"],
        [4, "Büro", null, null, "email_invalid"],
      ],
    ],
    [
      "excel-tr.csv",
      { name: "Adı Soyadı", last_name: null, email: "E-posta", phone: "GSM" },
      [
        [2, "Işıl Çağlar", "isil@excel-tr.example.com", "5321234567", "ready"],
        [3, 'Kaya "Kahve" Ltd', "kahve@excel-tr.example.com", "5,32123E+11", "phone_invalid"],
        [4, "Şükrü Öğüt", "sukru@excel-tr.example.com", "905321234568", "ready"],
      ],
    ],
    [
      "excel-utf8.csv",
      { name: "Customer name", last_name: null, email: "Contact e-mail", phone: "Phone" },
      [
        [4, 'Kaya "Kahve" Ltd', "kaya@excel-utf8.example.com", "05321234567", "ready"],
        [5, "Smith, John", "john@excel-utf8.example.com", null, "ready"],
      ],
    ],
    [
      "excel-unicode.txt",
      { name: "Ad", last_name: "Soyad", email: "E-posta adresi", phone: "Cep" },
      [
        [2, "Işıl Çağlar", "isil@excel-unicode.example.com", "0532 123 45 67", "ready"],
        [3, "Олег Ким", "oleg@excel-unicode.example.com", null, "ready"],
      ],
    ],
    [
      "libreoffice.csv",
      { name: "Vorname", last_name: "Nachname", email: "E-Mail", phone: "Telefon" },
      [
        [2, "Jörg Weiß", "joerg@libreoffice.example.com", "+49 170 1234567", "ready"],
        [3, "Anna Müller", "anna@libreoffice.example.com", null, "ready"],
      ],
    ],
    [
      "numbers.csv",
      { name: "İsim", last_name: "Soyisim", email: "E-posta", phone: "Telefon" },
      [
        [4, "Ayşe Kaya", "ayse@numbers.example.com", "0532 123 45 67", "ready"],
        [5, "Mehmet Öz", "mehmet@numbers.example.com", null, "ready"],
      ],
    ],
    [
      "thunderbird.csv",
      { name: "First Name", last_name: "Last Name", email: "Primary Email", phone: "Mobile Number" },
      [
        [2, "Ayşe Kaya", "ayse@thunderbird.example.com", "+90 532 123 45 67", "ready"],
        [3, "Mehmet Öz", "mehmet@thunderbird.example.com", null, "ready"],
      ],
    ],
  ])("is read: %s", (name, columns, rows) => {
    expect(readSampleFile(name)).toMatchObject({ columns, customers: rows });
  });

  it.each([
    ["de", "Anrede;Vorname;Weitere Vornamen;Nachname;Firma;Telefon privat;Mobiltelefon;E-Mail-Adresse"],
    ["fr", "Titre;Prénom;Deuxième prénom;Nom;Société;Téléphone (domicile);Tél. mobile;Adresse e-mail"],
    [
      "it",
      "Titolo;Nome;Secondo nome;Cognome;Società;Telefono (abitazione);Cellulare;Indirizzo posta elettronica",
    ],
    ["ru", "Обращение;Имя;Отчество;Фамилия;Организация;Домашний телефон;Мобильный телефон;Адрес эл. почты"],
    ["tr", "Unvan;Ad;İkinci Ad;Soyadı;Şirket;Ev Telefonu;Cep Telefonu;E-posta Adresi"],
    [
      "ar",
      "المسمى;الاسم الأول;الاسم الأوسط;اسم العائلة;الشركة;هاتف المنزل;الهاتف الجوال;عنوان البريد الإلكتروني",
    ],
    ["en", "Title;First Name;Middle Name;Last Name;Company;Home Phone;Mobile Phone;E-mail Address"],
  ])("has its columns detected in %s", (_, headings) => {
    const { customers: rows } = readCustomerTable(
      `${headings}\nBay;Ali;B.;Can;Can Ltd;;0532 123 45 67;ali@example.com`,
    );
    expect(rows).toEqual([[2, "Ali Can", "ali@example.com", "0532 123 45 67", "ready"]]);
  });
});

describe("detecting columns", () => {
  it.each([
    [
      "prefers the cells to contradicting headings",
      "E-mail,Contact,Who\nwork,a@example.com,Ayşe Kaya",
      ["Ayşe Kaya", "a@example.com", null, "ready"],
    ],
    [
      "prefers filled columns to empty ones",
      "Name,E-mail,E-mail 2,Phone,Mobile\nA,,a@example.com,,05321234567",
      ["A", "a@example.com", "05321234567", "ready"],
    ],
    [
      "prefers the contact to an agent repeated in each row",
      "Müşteri,Temsilci e-posta,E-posta\nA,satis@example.com,a@example.com\nB,satis@example.com,b@example.com",
      ["A", "a@example.com", null, "ready"],
    ],
    [
      "ignores numbers that are not phone numbers",
      "Ad;Vergi no;Posta kodu;E-posta\nA;1234567890;34710;a@example.com",
      ["A", "a@example.com", null, "ready"],
    ],
  ])("%s", (_, file, person) => {
    expect(people(file)[0]).toEqual(person);
  });

  it("works without headings", () => {
    const { table, customers: rows } = readSampleFile("headless.csv");
    expect(table).toMatchObject({ headingRow: null, columns: ["", "", ""] });
    expect(rows).toEqual([
      [1, "Ayşe Kaya", "ayse@headless.example.com", "0532 123 45 67", "ready"],
      [2, "Mehmet Öz", "mehmet@headless.example.com", null, "ready"],
    ]);
  });

  it(`accepts at most ${IMPORT_MAX_COLUMNS} columns`, () => {
    const makeWideTable = (width: number) => {
      const buildCells = (text: string) =>
        Array.from({ length: width - 2 }, (_, index) => `${text} ${index}`);
      return `${buildCells("Custom").join()},E-mail,Name\n${buildCells("x").join()},w@example.com,Wide`;
    };
    expect(people(makeWideTable(IMPORT_MAX_COLUMNS))).toEqual([["Wide", "w@example.com", null, "ready"]]);
    expect(getImportIssue(makeWideTable(IMPORT_MAX_COLUMNS + 1))).toEqual([
      "import_too_wide",
      { max: IMPORT_MAX_COLUMNS, columns: IMPORT_MAX_COLUMNS + 1 },
    ]);
  });
});

describe("detecting the separator", () => {
  const table = "Ad;E-posta\nKaya, Ayşe;a@example.com\n";
  it.each([
    ["reads the sep= hint", `sep=;\r\n${table}`],
    ["reads a quoted hint after a byte order mark", `\uFEFF"sep=;"\r\n${table}`],
    ["reads a tab as the hint", `sep=\\t\n${table.replaceAll(";", "\t")}`],
    ["ignores a wrong hint", `sep=,\n${table.replace("Kaya, Ayşe", '"Kaya, Ayşe"').replaceAll(";", "|")}`],
    ["skips a title", `Müşteri listesi, 27.11.2026\n\n${table}`],
    ["skips a title with separators", `Export vom 27.11.2026;\n;\n${table}`],
    ["splits rows that are one quoted cell", table.replaceAll(/.+/g, '"$&"')],
  ])("%s", (_, file) => {
    expect(people(file)).toEqual([["Kaya, Ayşe", "a@example.com", null, "ready"]]);
  });
});

describe("detecting the encoding", () => {
  const turkish = "Ad;E-posta\r\nIşıl Çağlar;a@example.com\r\n";
  const utf16Bytes = Buffer.from(turkish, "utf16le");
  it.each([
    ["UTF-16 without a byte order mark", utf16Bytes, "Işıl Çağlar"],
    ["big-endian UTF-16", Buffer.from(`\uFEFF${turkish}`, "utf16le").swap16(), "Işıl Çağlar"],
    ["big-endian UTF-16 without a byte order mark", Buffer.from(utf16Bytes).swap16(), "Işıl Çağlar"],
    ["Windows-1254", encodeInCodePage("windows-1254", turkish), "Işıl Çağlar"],
    [
      "Windows-1252",
      encodeInCodePage("windows-1252", "Vorname;E-Mail\nFrançois Weiß;a@example.com"),
      "François Weiß",
    ],
    [
      "Windows-1251",
      encodeInCodePage("windows-1251", "Имя;Почта\nАнна Иванова;a@example.com"),
      "Анна Иванова",
    ],
    ["Windows-1256", encodeInCodePage("windows-1256", "الاسم;البريد\nمحمد علي;a@example.com"), "محمد علي"],
    [
      "UTF-8 with a broken letter",
      Buffer.concat([Buffer.from(`${turkish}Ş`), Buffer.of(0xc4)]),
      "Işıl Çağlar",
    ],
  ])("recognises %s", (_, bytes, name) => {
    expect(people(bytes)[0]).toEqual([name, "a@example.com", null, "ready"]);
  });
});

describe("a quotation mark", () => {
  it.each([
    ['Kaya "Kahve" Ltd', 'Kaya "Kahve" Ltd'],
    ['"Kaya "Kahve" Ltd"', 'Kaya "Kahve" Ltd'],
    ['"Kaya "Kahve; Çay" Ltd"', 'Kaya "Kahve; Çay" Ltd'],
    ['"Kaya ""Kahve"" Ltd"', 'Kaya "Kahve" Ltd'],
    ['"Ltd "Kahve""', 'Ltd "Kahve"'],
    ['"Kahve" Ltd', '"Kahve" Ltd'],
    ['5" pipe', '5" pipe'],
    ['5"', '5"'],
    [' "Kaya; Ltd" ', "Kaya; Ltd"],
    ["“Kaya”", "Kaya"],
  ])("is kept or removed by its place in the cell: %s", (cell, name) => {
    const nextPerson = ["Veli", "v@example.com", null, "ready"];
    expect(people(`Ad;E-posta\n${cell};k@example.com\nVeli;v@example.com`)).toEqual([
      [name, "k@example.com", null, "ready"],
      nextPerson,
    ]);
  });

  it.each([
    [
      "before the end of the file",
      'Ad;E-posta\r\nA;a@example.com\r\n"B;b@example.com\r\nC;c@example.com',
      3,
      1,
    ],
    ["before another quoted cell", 'Ad;E-posta\n"A";"a@example.com"\nB;"b\n"C";"c"', 3, 2],
    ["after a hint and an empty line", 'sep=;\n\nAd;E-posta\nA;"a@example.com\nB;b', 4, 2],
    ["with CR line ends", 'Ad;E-posta\rA;"a@example.com\rB;b', 2, 2],
  ])("is reported with line and column if unclosed: %s", (_, file, line, column) => {
    expect(getImportIssue(file)).toEqual(["import_quote_open", { line, column }]);
  });
});

describe("a cell", () => {
  const readPhone = (cell: string) => people(`Ad;E-posta;Telefon\nA;a@example.com;${cell}`)[0]!.slice(2);
  it.each([
    ["905321234567", "905321234567"],
    ['="05321234567"', "05321234567"],
    ["'05321234567", "05321234567"],
    ["'+905321234567", "+905321234567"],
    ["9,05321234567E+11", "905321234567"],
    ["5321234567.0", "5321234567"],
    ["4917612345678", "+4917612345678"],
    ["0532 123 45 67 ::: 0212 123 45 67", "0532 123 45 67"],
    ["0170/1234567", "0170 1234567"],
    ["+49 7531 / 12 34 56", "+49 7531 12 34 56"],
    ["(0312)/555 00 34", "(0312) 555 00 34"],
    ["\u00A00532 123 45 67\u00A0", "0532 123 45 67"],
  ])("is parsed as a phone number: %s", (cell, number) => {
    expect(readPhone(cell)).toEqual([number, "ready"]);
  });

  it("with a number shortened by a spreadsheet is not a phone number", () => {
    expect(readPhone("5,32123E+11")).toEqual(["5,32123E+11", "phone_invalid"]);
  });

  it.each([
    ["a@example.com ::: b@example.com", "a@example.com"],
    ["a@example.com, b@example.com", "a@example.com"],
    ["Ayşe Kaya <a@example.com>", "a@example.com"],
    ["mailto:a@example.com", "a@example.com"],
    ["\u200B a@example.com\u202C", "a@example.com"],
    ["'a@example.com'", "a@example.com"],
  ])("is parsed as an e-mail address: %s", (cell, address) => {
    expect(people(`Ad;E-posta\nA;${cell}\nB;b@example.net`)[0]).toEqual(["A", address, null, "ready"]);
  });

  it("with a space in an address is invalid", () => {
    expect(people("Ad;E-posta\nA;ayse kaya@example.com\nB;b@example.com")[0]).toEqual([
      "A",
      "ayse kaya@example.com",
      null,
      "email_invalid",
    ]);
  });

  it("is joined to one line, without invisible characters at its ends", () => {
    const file = 'Ad;E-posta\n"\u00A0Ayşe\vKaya\n\u200F";a@example.com';
    expect(people(file)).toEqual([["Ayşe Kaya", "a@example.com", null, "ready"]]);
  });
});

describe("a file that is not a table", () => {
  it.each([
    ["a workbook", "PK\u0003\u0004 [Content_Types].xml xl/workbook.xml", "import_is_excel"],
    ["an old workbook", Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1), "import_is_excel"],
    [
      "an OpenDocument spreadsheet",
      "PK\u0003\u0004mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
      "import_is_opendocument",
    ],
    ["a Numbers document", "PK\u0003\u0004 Index/Document.iwa", "import_is_numbers"],
    ["contacts", "\uFEFFBEGIN:VCARD\r\nVERSION:3.0\r\n", "import_is_vcard"],
    ["a page", "<!DOCTYPE html><table><tr><td>a@example.com", "import_is_other"],
    ["a picture", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "import_is_other"],
    ["a PDF", "%PDF-1.7\n1 0 obj", "import_is_other"],
  ])("is recognised: %s", (_, file, messageKey) => {
    expect(getImportIssue(file)).toBe(messageKey);
  });
});

it("takes linear time for malicious files", () => {
  const length = 2 * 1024 * 1024;
  const startedAt = performance.now();
  for (const part of [
    '"',
    '"a',
    '"";',
    '""";',
    'a;"b "c ',
    '" ',
    '"a\n',
    "\n",
    ";",
    "a@",
    "a@example.com;",
    "=",
  ])
    getImportIssue(part.repeat(length / part.length));
  getImportIssue(`"\n${'x"'.repeat(length / 4)}${" ".repeat(length / 2)}\nz`);
  for (const bytes of ["\x81", "\xE9 ", "\x81a;", "\xFC@,"])
    getImportIssue(Buffer.from(bytes.repeat(length / bytes.length), "latin1"));
  // Scanning the rest of the file for each quotation mark would take hours.
  expect(performance.now() - startedAt).toBeLessThan(120_000);
});
