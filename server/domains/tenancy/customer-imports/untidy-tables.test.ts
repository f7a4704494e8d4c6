import { describe, expect, it } from "vitest";
import { getImportIssue, readCustomerRows, readCustomerTable } from "@/server/testing/customer-table";
import { setHasHeadings } from "./service/detect-layout";

const ayse = ["Ayşe Kaya", "ayse@example.com", null, "ready"];
const ali = ["Ali Can", "ali@example.com", null, "ready"];

describe("several addresses in the last column", () => {
  it.each([
    [";", ", "],
    ["\t", "; "],
    [",", "; "],
    ["|", ";"],
    [";", " ::: "],
  ])("are not confused with the separator %j when separated by %j", (separator, between) => {
    const rows = [
      ["Ayşe Kaya", `ayse@example.com${between}ayse@example.org`],
      ["Ali Can", `ali@example.com${between}ali@example.org`],
    ].map((cells) => cells.join(separator));
    const heading = ["Ad", "E-posta"].join(separator);
    expect(readCustomerRows([heading, ...rows].join("\n"))).toEqual([ayse, ali]);
    expect(readCustomerRows(rows.join("\n"))).toEqual([ayse, ali]);
    expect(
      readCustomerRows([heading, ...rows, ["Veli", "veli@example.com"].join(separator)].join("\n")),
    ).toHaveLength(3);
  });

  it("are detected although notes contain semicolons", () => {
    const file = 'Name,E-mail,Note\nAyşe Kaya,ayse@example.com,"x; y"\nAli Can,ali@example.com,"y; z"';
    expect(readCustomerRows(file)).toEqual([ayse, ali]);
    expect(readCustomerRows(file.replace(/.*\n/, ""))).toEqual([ayse, ali]);
  });
});

describe("a table without headings", () => {
  it.each([
    ["mailto:", "Ayşe Kaya;mailto:ayse@example.com;Ankara"],
    ["two addresses", "Ayşe Kaya;ayse@example.com ::: ayse@example.org;Ankara"],
    ["two addresses and commas", 'Ayşe Kaya,"ayse@example.com, ayse@example.org",Ankara'],
    ["a name before the address", 'Ayşe Kaya;"Ayşe Kaya" <ayse@example.com>;Ankara'],
  ])("keeps the first row: %s", (_, firstRow) => {
    const separator = firstRow.includes(";") ? ";" : ",";
    const secondRow = ["Ali Can", "ali@example.com", "İzmir"].join(separator);
    const { table, customers } = readCustomerTable(`${firstRow}\n${secondRow}`);
    expect(table.headingRow).toBeNull();
    expect(customers).toEqual([
      [1, ...ayse],
      [2, ...ali],
    ]);
  });

  it("keeps a mistyped first address", () => {
    expect(readCustomerRows("Ayşe Kaya;ayse@gmail;Ankara\nAli Can;ali@example.com;İzmir")).toEqual([
      ["Ayşe Kaya", "ayse@gmail", null, "email_invalid"],
      ali,
    ]);
  });

  it("can have a single column of names and addresses", () => {
    const { table } = readCustomerTable("Ayşe Kaya <ayse@example.com>\nAli Can <ali@example.com>");
    expect([table.headingRow, table.rows.length]).toEqual([null, 2]);
  });

  it("is not assumed when a heading contains an example address", () => {
    expect(
      readCustomerTable("Ad;E-posta (ör. ad@site.com)\nAyşe Kaya;ayse@example.com").table.headingRow,
    ).toBe(1);
    expect(readCustomerTable("Ad;E-posta(ad@site.com)\nAyşe Kaya;ayse@example.com").table.headingRow).toBe(1);
  });
});

describe("an old encoding", () => {
  const encodeLetters = (text: string, letters: Record<string, number>) =>
    Uint8Array.from([...text], (letter) => letters[letter] ?? letter.charCodeAt(0));
  const dosBytes = {
    ü: 0x81,
    ç: 0x87,
    Ç: 0x80,
    ı: 0x8d,
    ö: 0x94,
    Ö: 0x99,
    ş: 0x9f,
    Ş: 0x9e,
    ğ: 0xa7,
    ß: 0xe1,
  };
  const macBytes = {
    ü: 0x9f,
    ç: 0x8d,
    Ç: 0x82,
    ı: 0xdd,
    ö: 0x9a,
    Ö: 0x85,
    ş: 0xdf,
    Ş: 0xde,
    ğ: 0xdb,
    ß: 0xa7,
  };
  const turkish = ["Işıl Çağlar", "Şükrü Öğüt", "Güneş Yıldız", "Ayşe Kaya"];
  const german = ["Jürgen Müller", "Günter Weiß", "Björn Groß"];

  it.each([
    ["DOS in Turkish", dosBytes, turkish],
    ["DOS in German", dosBytes, german],
    ["a Macintosh in Turkish", macBytes, turkish],
    ["a Macintosh in German", macBytes, german],
    ["DOS in French", { é: 0x82, è: 0x8a }, ["René Lefèvre"]],
    ["a Macintosh in French", { é: 0x8e, è: 0x8f }, ["René Lefèvre"]],
    ["Windows with quotation marks", { "“": 0x93, "”": 0x94 }, ["ali “kahve” çay", "Bahçe “kahvesi”"]],
    ["Windows in Norwegian", { ø: 0xf8, Ø: 0xd8, Ž: 0x8e }, ["Øystein", "Sørensen", "Žan"]],
  ])("keeps all letters: %s", (_, letters, names) => {
    const rows = names.map((name, index) => `${name};p${index}@example.com;Ankara`);
    expect(
      readCustomerRows(encodeLetters(`Ad;E-posta;City\n${rows.join("\n")}`, letters)).map(([name]) => name),
    ).toEqual(names);
  });

  it.each([
    ["DOS", "ibm866"],
    ["Unix", "koi8-r"],
    ["a Macintosh", "x-mac-cyrillic"],
  ])("keeps all letters: %s in Russian", (_, encodingName) => {
    const decoder = new TextDecoder(encodingName);
    const letters = Array.from({ length: 128 }, (_, index) => [
      decoder.decode(Uint8Array.of(index + 128)),
      index + 128,
    ]);
    const file = "Имя;Почта\nАнна Иванова;anna@example.com\nИ. Петров;petrov@example.com";
    expect(
      readCustomerRows(encodeLetters(file, Object.fromEntries(letters))).map(([person]) => person),
    ).toEqual(["Анна Иванова", "И. Петров"]);
  });

  it("is rejected if no encoding fits", () => {
    const file = "Ad;E-posta\nJürgen Müller;j@example.com\nA#sa;a@example.com";
    expect(getImportIssue(encodeLetters(file, { ü: 0xfc, "#": 0x81 }))).toBe("import_is_encoding");
    const japanese = "96bc914f2c8381815b838b0a9363928691be98592c6140782e6578616d706c652e636f6d0a";
    expect(getImportIssue(Buffer.from(japanese, "hex"))).toBe("import_is_encoding");
  });
});

describe("control characters", () => {
  const file = "Ad;E-posta\nAyşe Kaya;ayse@example.com\nAli Can;ali@example.com";
  it.each([
    ["in a name", file.replace("Kaya", "Ka\0ya")],
    ["in several cells", file.replace("Kaya", "\x02Kaya").replace("Can", "Can\x07")],
    ["after the last row", `${file}\n${"\0".repeat(512)}`],
  ])("are removed: %s", (_, text) => {
    expect(readCustomerRows(text)).toEqual([ayse, ali]);
  });

  it("reveal a binary file", () => {
    expect(getImportIssue(file.replaceAll("a", "\0\0"))).toBe("import_is_other");
    expect(getImportIssue("\0".repeat(512))).toBe("import_is_other");
  });
});

describe("two phone numbers in a cell", () => {
  const readPhone = (cell: string) =>
    readCustomerRows(`Ad\tE-posta\tTelefon\nA\ta@example.com\t${cell}`)[0]!.slice(2);
  it.each([" / ", "/", " - ", ", ", "; ", " ve ", " or ", " oder ", " или ", " ", " | ", " & "])(
    "are reduced to the first one: %j",
    (between) => {
      expect(readPhone(`0532 123 45 67${between}0212 123 45 67`)).toEqual(["0532 123 45 67", "ready"]);
    },
  );

  it.each([
    ["05321234567 05321234568", "05321234567"],
    ["+90 532 123 45 67 / +90 212 123 45 67", "+90 532 123 45 67"],
    ["0532 123 45 67 / 68", "0532 123 45 67"],
    ["0170 / 1234567", "0170 1234567"],
    ["0212/123 45 67", "0212 123 45 67"],
    ["+49 170 - 1234567", "+49 170 - 1234567"],
    ["0532 - 123 - 45 - 67", "0532 - 123 - 45 - 67"],
  ])("are not assumed for one number in groups: %s", (cell, number) => {
    expect(readPhone(cell)).toEqual([number, "ready"]);
  });

  it.each(["345 67 89 - 345 67 90", "345 67 89/90", "1234567890123456", "0532 123 45 67 0212 123 45 6"])(
    "are rejected if the first one is unclear: %s",
    (cell) => {
      expect(readPhone(cell)).toEqual([cell, "phone_invalid"]);
    },
  );
});

describe("the name of a person", () => {
  it.each([
    ["Product Name,Customer Name", "Espresso,Ayşe Kaya"],
    ["Ürün Adı,Müşteri Adı", "Espresso,Ayşe Kaya"],
    ["Alıcı,Ürün Adı", "Ayşe Kaya,Espresso"],
    ["İlçe Adı,Yetkili", "Kadıköy,Ayşe Kaya"],
    ["Kurs Adı,Öğrenci", "Barista,Ayşe Kaya"],
    ["Account Name,Contact Name", "Kahve AŞ,Ayşe Kaya"],
    ["Firma Adı,Firma Yetkilisi", "Kahve AŞ,Ayşe Kaya"],
    ["Cari Ünvanı,Yetkili Kişi", "Kahve AŞ,Ayşe Kaya"],
    ["Produktname,Kundenname", "Espresso,Ayşe Kaya"],
    ["Straßenname,Ansprechpartner", "Hauptstraße,Ayşe Kaya"],
    ["Nom du produit,Nom du client", "Espresso,Ayşe Kaya"],
    ["Nome del corso,Nome dello studente", "Barista,Ayşe Kaya"],
    ["Имя товара,Имя клиента", "Кофе,Ayşe Kaya"],
    ["اسم المنتج,اسم العميل", "قهوة,Ayşe Kaya"],
    ["Nombre del producto,Nombre del cliente", "Café,Ayşe Kaya"],
    ["Naam product,Naam klant", "Koffie,Ayşe Kaya"],
    ["Event Name,Who", "Fair,Ayşe Kaya"],
    ["Name,Customer Name", "Espresso,Ayşe Kaya"],
  ])("is found: %s", (heading, row) => {
    expect(readCustomerRows(`${heading},E-mail\n${row},ayse@example.com`)).toEqual([ayse]);
  });

  it("is the company's if no person is named", () => {
    expect(readCustomerRows("Account Name,Product Name,E-mail\nKahve AŞ,Espresso,a@example.com")[0]![0]).toBe(
      "Kahve AŞ",
    );
  });

  it("is not a value that repeats in every row", () => {
    const rows = "Spring,Ayşe Kaya,ayse@example.com\nSpring,Ali Can,ali@example.com";
    expect(readCustomerRows(`Name,Firma,E-mail\n${rows}`)).toEqual([ayse, ali]);
    expect(readCustomerRows(`Name,Who,E-mail\n${rows}`)).toEqual([ayse, ali]);
    expect(readCustomerRows("Ad;Soyad;E-posta\nAyşe;Kaya;a@example.com\nAli;Kaya;b@example.com")[0]![0]).toBe(
      "Ayşe Kaya",
    );
  });

  it.each([
    ["First,Middle,Last"],
    ["FNAME,x,LNAME"],
    ["f_name,x,l_name"],
    ["name_first,x,name_last"],
    ["givenName,x,sn"],
    ["Nombre,x,Apellidos"],
    ["Voornaam,Tussenvoegsel,Achternaam"],
  ])("is joined from two columns: %s", (heading) => {
    expect(readCustomerRows(`${heading},E-mail\nAyşe,,Kaya,ayse@example.com`)).toEqual([ayse]);
    const [firstNameHeading, , lastNameHeading] = heading.split(",");
    expect(
      readCustomerRows(`${lastNameHeading},${firstNameHeading},E-mail\nKaya,Ayşe,ayse@example.com`),
    ).toEqual([ayse]);
  });

  it("is not found in a column whose heading only begins like one", () => {
    expect(
      readCustomerRows("Last login,First order,Who,E-mail\nMonday,Tuesday,Ayşe Kaya,ayse@example.com"),
    ).not.toEqual([["Tuesday Monday", "ayse@example.com", null, "ready"]]);
  });
});

describe("headings below a title", () => {
  const rows = "Ad Soyad;E-posta;Tel\nAyşe Kaya;ayse@example.com;\nAli Can;ali@example.com;";
  it.each([
    ["with an address", "Hazırlayan;info@firma.example.com\n\n"],
    ["with an address and no empty line", "Hazırlayan;info@firma.example.com\n"],
    ["with an address, as wide as the table", "Hazırlayan;info@firma.example.com;2026\n\n"],
    ["with an address below another", "Rapor;2026\nHazırlayan;info@firma.example.com\n"],
    ["with words of headings", "Müşteri listesi;E-posta kampanyası;Telefonlar\n\n"],
  ])("are found: %s", (_, title) => {
    expect(readCustomerRows(title + rows)).toEqual([ayse, ali]);
  });

  it("are not assumed below rows of people", () => {
    const file =
      "Veli Öz;veli@example.com;1\nAyşe Kaya;ayse@example.com;2\nAd Soyad;E-posta;Not\nAli Can;ali@example.com;3";
    expect(readCustomerTable(file).table.headingRow).toBeNull();
    expect(readCustomerRows(file).filter(([, , , outcome]) => outcome === "ready")).toHaveLength(3);
  });

  it("can be set and unset without losing a row", () => {
    const { table } = readCustomerTable(`Hazırlayan;info@firma.example.com;İK\n${rows}`);
    expect(table.headingRow).toBeNull();
    const tableWithHeadings = setHasHeadings(table, true);
    expect(tableWithHeadings).toMatchObject({ headingRow: 2, columns: ["Ad Soyad", "E-posta", "Tel"] });
    expect(tableWithHeadings.rows.map(({ row }) => row)).toEqual([1, 3, 4]);
    expect(setHasHeadings(tableWithHeadings, false)).toEqual(table);
  });
});

describe("lines pasted into one column", () => {
  it.each([
    [
      "in quotation marks where they are needed",
      'Ad,Soyad,Adres,E-posta\n"Ayşe,Kaya,""Bağdat Cad., Kadıköy"",ayse@example.com"\nAli,Can,Ankara,ali@example.com',
    ],
    [
      "with empty cells after them",
      '"Ad,Soyad,E-posta";;\n"Ayşe,Kaya,ayse@example.com";;\n"Ali,Can,ali@example.com"; ;',
    ],
    ["with unquoted headings", 'Ad,Soyad,E-posta\n"Ayşe,Kaya,ayse@example.com"\n"Ali,Can,ali@example.com"'],
  ])("are split: %s", (_, file) => {
    expect(readCustomerRows(file)).toEqual([ayse, ali]);
  });

  it.each(["", "\nVeli;veli@example.com;x"])(
    "keep all people with an unclosed quotation mark: %j",
    (extraRows) => {
      const file = `Ad;E-posta;Not\n"Ayşe Kaya;ayse@example.com;x\nAli Can;ali@example.com;5"${extraRows}`;
      expect(JSON.stringify(readCustomerTable(file).table)).toContain("Ali Can");
    },
  );

  it("are not assumed for a cell with only a name", () => {
    const file = 'Ad,E-posta\n"Kaya, Ayşe"\nAli Can,ali@example.com';
    expect(readCustomerRows(file)).toEqual([["Kaya, Ayşe", null, null, "email_invalid"], ali]);
  });
});

describe("an unusual table", () => {
  const rows = [
    ["Ad", "E-posta", "Not"],
    ["Ayşe Kaya", "ayse@example.com", "x"],
    ["Ali Can", "ali@example.com", "y"],
  ];
  it.each([":", "^", "~", "،", "؛", "；", "，"])("is read: separated by %s", (separator) => {
    expect(readCustomerRows(rows.map((cells) => cells.join(separator)).join("\n"))).toEqual([ayse, ali]);
  });

  it.each(["\u2028", "\u2029", "\x85"])("is read: lines that end with %j", (lineEnd) => {
    const lines = rows.map((cells) => cells.join(";"));
    expect(readCustomerRows(lines.join(lineEnd))).toEqual([ayse, ali]);
    expect(readCustomerRows(lines.join("\n").replace("Ayşe Kaya", `Ayşe${lineEnd}Kaya`))).toHaveLength(2);
  });

  it("is read: with the backslashes and nulls of MySQL", () => {
    const file = String.raw`"name","email","phone"
"Kaya \"Kahve\" Ltd","kaya@example.com",\N
"Kaya \"Kahve\"","kahve@example.com",\N
"O\'Neil","oneil@example.com",\N`;
    expect(readCustomerRows(file)).toEqual([
      ['Kaya "Kahve" Ltd', "kaya@example.com", null, "ready"],
      ['Kaya "Kahve"', "kahve@example.com", null, "ready"],
      ["O'Neil", "oneil@example.com", null, "ready"],
    ]);
  });

  it.each(['[{"name":"Ayşe Kaya","email":"ayse@example.com"}]', '{\n  "people": []}', '[\n { "a": 1 } ]'])(
    "is not assumed for JSON: %s",
    (json) => {
      expect(getImportIssue(json)).toBe("import_is_other");
    },
  );
});
