import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { makeToken, makeUser } from "@/server/testing/factories";
import { createRawZip } from "@/server/testing/hostile-files";
import { buildMultipartForm } from "@/server/testing/multipart";
import { startTestServer } from "@/server/testing/server";

const { call } = await startTestServer({ env: { RATE_LIMITS: "relaxed" } });
const token = await makeToken((await makeUser({ locale: "en" })).id);
const upload = (bytes: Uint8Array, filename: string) =>
  call("POST", "/api/media/upload", { token, ...buildMultipartForm([{ bytes, filename }]) });

const makeArchive = (files: Record<string, Buffer | string>) =>
  createRawZip(
    Object.entries(files).map(([name, content]) => {
      const bytes = Buffer.from(content);
      return { name, compressed: deflateRawSync(bytes), size: bytes.length, flags: 0x800 };
    }),
  );
const OFFICE_TYPE_PREFIX = "application/vnd.openxmlformats-officedocument";
const buildContentTypesXml = (part: string, type: string) =>
  `<?xml version="1.0"?><Types xmlns="x"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${part}" ContentType="${type}"/></Types>`;
const buildRelationsXml = (target: string) =>
  `<Relationships xmlns="x"><Relationship Id="r2" Type="http://x/relationships/core-properties" Target="docProps/core.xml"/><Relationship Id="r1" Type="http://x/relationships/officeDocument" Target="${target}"/></Relationships>`;
const makeOfficeFile = (part: string, type: string, otherParts: Record<string, string> = {}) =>
  makeArchive({
    "[Content_Types].xml": buildContentTypesXml(part, type),
    "_rels/.rels": buildRelationsXml(part),
    [part]: "<x/>",
    ...otherParts,
  });
const WORD_TYPE = `${OFFICE_TYPE_PREFIX}.wordprocessingml.document.main+xml`;
const SLIDES_TYPE = `${OFFICE_TYPE_PREFIX}.presentationml.presentation.main+xml`;

describe("an Office file", () => {
  it.each([
    ["from Word for the web", "docx", makeOfficeFile("word/document2.xml", WORD_TYPE)],
    ["with the main part elsewhere", "pptx", makeOfficeFile("slides/main.xml", SLIDES_TYPE)],
    [
      "with other case, quotation marks, prefixes and an absolute target",
      "docx",
      makeArchive({
        "[content_types].xml": `<t:Types><t:Override ContentType='${WORD_TYPE}' PartName='/Word/Document.xml'/></t:Types>`,
        "_rels/.rels": `<r:Relationships><r:Relationship\n Target='/word/document.xml' Type='http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument'/></r:Relationships>`,
        "word/document.xml": "<x/>",
      }),
    ],
    [
      "in UTF-16",
      "docx",
      makeArchive({
        "[Content_Types].xml": Buffer.from(
          `\uFEFF${buildContentTypesXml("word/document.xml", WORD_TYPE)}`,
          "utf16le",
        ),
        "word/document.xml": "<x/>",
      }),
    ],
  ])("%s is stored as %s", async (_, format, bytes) => {
    const { status, json } = await upload(bytes, `a.${format}`);
    expect(status, JSON.stringify(json)).toBe(201);
    expect(json.media.name).toBe(`a.${format}`);
  });

  it("with a table of 20,000 rows is stored", async () => {
    const cell = '<w:tc><w:tcPr><w:tcW w:w="2400" w:type="dxa"/></w:tcPr><w:p><w:r><w:t/></w:r></w:p></w:tc>';
    const table = Array.from(
      { length: 20_000 },
      (_, at) => `<w:tr>${cell.repeat(3)}<w:p>${at % 10}</w:p></w:tr>`,
    );
    const bytes = makeOfficeFile("word/document.xml", WORD_TYPE, { "word/document.xml": table.join("") });
    const { status, json } = await upload(bytes, "a.docx");
    expect(status, JSON.stringify(json)).toBe(201);
  });

  const MACROS_TYPE = "application/vnd.ms-word.document.macroEnabled.main+xml";
  const buildDefaultTypeXml = (extension: string, type: string) =>
    `<Types><Default Extension="${extension}" ContentType="${type}"/></Types>`;
  const makeDocument = (part: string, target: string, content: string | Buffer) =>
    makeArchive({ "[Content_Types].xml": content, "_rels/.rels": buildRelationsXml(target), [part]: "<x/>" });
  const SPELLINGS: ReadonlyArray<[string, (type: string) => Buffer]> = [
    [
      "with a default type for XML",
      (type) => makeDocument("word/document.xml", "/word/document.xml", buildDefaultTypeXml("XML", type)),
    ],
    ...[
      "./word/document.xml",
      "/word/../word/document.xml",
      "../word/document.xml",
      "word\\document.xml",
    ].map((target): [string, (type: string) => Buffer] => [
      `with the main part as ${target}`,
      (type) => makeDocument("word/document.xml", target, buildContentTypesXml("word/document.xml", type)),
    ]),
    [
      "with a percent-encoded main part",
      (type) =>
        makeDocument(
          "word/belge 1.xml",
          "word/belge%201.xml",
          buildContentTypesXml("word/belge%201.xml", type),
        ),
    ],
    [
      "with a Cyrillic main part",
      (type) =>
        makeDocument(
          "word/док.xml",
          "word/%D0%B4%D0%BE%D0%BA.xml",
          buildContentTypesXml("word/док.xml", type),
        ),
    ],
    [
      "with an escaped main part",
      (type) =>
        makeDocument("word/a&b.xml", "word/a&amp;b.xml", buildContentTypesXml("word/a&#x26;b.xml", type)),
    ],
    ["with a main part without extension", (type) => makeOfficeFile("word/document", type)],
    ["with a main part of another extension", (type) => makeOfficeFile("word/document.part", type)],
    [
      "with a character set after its type",
      (type) => makeOfficeFile("word/document.xml", `${type}; charset=utf-8`),
    ],
    ["with its type in upper case", (type) => makeOfficeFile("word/document.xml", type.toUpperCase())],
    [
      "in UTF-16 without a byte order mark",
      (type) =>
        makeDocument(
          "word/document.xml",
          "word/document.xml",
          Buffer.from(buildContentTypesXml("word/document.xml", type), "utf16le"),
        ),
    ],
  ];

  it.each(SPELLINGS)("%s is stored, but refused with macros", async (_, makeFile) => {
    const { status, json } = await upload(makeFile(WORD_TYPE), "a.docx");
    expect(status, JSON.stringify(json)).toBe(201);
    for (const type of [MACROS_TYPE, MACROS_TYPE.replace("E", "&#69;")]) {
      const macrosResponse = await upload(makeFile(type), "a.docx");
      expect([macrosResponse.status, macrosResponse.json.errors?.file[0]]).toEqual([
        422,
        expect.stringContaining("macros"),
      ]);
    }
    const tableResponse = await upload(
      makeFile(`${OFFICE_TYPE_PREFIX}.spreadsheetml.sheet.main+xml`),
      "a.docx",
    );
    expect(tableResponse.json.errors?.file[0]).toContain("XLSX");
  });

  it("with macros in a part with an escaped name is refused", async () => {
    const { json } = await upload(
      makeOfficeFile("word/document.xml", WORD_TYPE, { "word/vba%50roject.bin": "x" }),
      "a.docx",
    );
    expect(json.errors?.file[0]).toContain("macros");
  });

  it("is recognised by the type of its main part, which precedes the type of the extension", async () => {
    const content = `${buildDefaultTypeXml("xml", WORD_TYPE)}${buildContentTypesXml("x.xml", `${OFFICE_TYPE_PREFIX}.spreadsheetml.sheet.main+xml`)}`;
    const { json } = await upload(makeDocument("x.xml", "x.xml", content), "a.docx");
    expect(json.errors?.file[0]).toContain("XLSX");
  });

  it.each([
    ["zeros", Buffer.alloc(1)],
    ["zeros", Buffer.alloc(1000)],
    ["zeros", Buffer.alloc(200_000)],
    ["a line break", Buffer.from("\r\n")],
    ["white space", Buffer.from(" \t\f\n".repeat(500))],
  ])("padded with %s is stored without the padding", async (_, padding) => {
    const unpadded = makeOfficeFile("word/document.xml", WORD_TYPE);
    const { status, json } = await upload(Buffer.concat([unpadded, padding]), "a.docx");
    expect([status, json.media?.size]).toEqual([201, unpadded.length]);
  });

  it.each([
    [
      "a template",
      makeOfficeFile("word/document.xml", `${OFFICE_TYPE_PREFIX}.wordprocessingml.template.main+xml`),
      "DOTX",
    ],
    [
      "a slide show",
      makeOfficeFile("ppt/presentation.xml", `${OFFICE_TYPE_PREFIX}.presentationml.slideshow.main+xml`),
      "PPSX",
    ],
    [
      "a table",
      makeOfficeFile("word/document.xml", `${OFFICE_TYPE_PREFIX}.spreadsheetml.sheet.main+xml`),
      "XLSX",
    ],
    [
      "a document with macros",
      makeOfficeFile("word/document.xml", "application/vnd.ms-word.document.macroEnabled.main+xml"),
      "macros",
    ],
    [
      "a document with a macro part of another name",
      makeArchive({
        "[Content_Types].xml": `${buildContentTypesXml("word/document.xml", WORD_TYPE)}<Override PartName="/word/x.bin" ContentType="application/vnd.ms-office.vbaProject"/>`,
        "_rels/.rels": buildRelationsXml("word/document.xml"),
        "word/document.xml": "<x/>",
      }),
      "macros",
    ],
    [
      "a table with a comment that declares a document",
      makeArchive({
        "[Content_Types].xml": `<!--${buildContentTypesXml("x.xml", WORD_TYPE)}-->${buildContentTypesXml("x.xml", `${OFFICE_TYPE_PREFIX}.spreadsheetml.sheet.main+xml`)}`,
        "_rels/.rels": buildRelationsXml("x.xml"),
        "x.xml": "<x/>",
      }),
      "XLSX",
    ],
    [
      "a document without its main part",
      makeArchive({
        "[Content_Types].xml": buildContentTypesXml("word/document.xml", WORD_TYPE),
        "a.xml": "<x/>",
      }),
      "Office Open XML",
    ],
    [
      "endlessly repeated markup",
      makeArchive({ "[Content_Types].xml": `${"<!--<a ".repeat(100)}${"é".repeat(3000)}`, "a.xml": "<x/>" }),
      "Office Open XML",
    ],
  ])("that is %s is refused with its name", async (_, bytes, format) => {
    const { status, json } = await upload(bytes, "a.docx");
    expect(status).toBe(422);
    expect(json.errors.file[0]).toContain(format);
  });
});

describe("a document of another format", () => {
  const makeCompoundFile = (...names: string[]) => {
    const bytes = Buffer.alloc(4096);
    Buffer.from("d0cf11e0a1b11ae1", "hex").copy(bytes);
    for (const [at, name] of names.entries()) bytes.write(name, 1024 + at * 128, "utf16le");
    return bytes;
  };
  const makeOpenDocument = (type: string) =>
    createRawZip([
      { name: "mimetype", compressed: Buffer.from(type), size: type.length, method: 0 },
      { name: "content.xml", compressed: deflateRawSync("<x/>"), size: 4 },
    ]);
  const OPEN_DOCUMENT = "application/vnd.oasis.opendocument";

  it.each([
    ["a.docx", makeCompoundFile("EncryptionInfo", "EncryptedPackage"), "password-protected"],
    ["a.xlsx", makeCompoundFile("Root Entry", "EncryptedPackage"), "password-protected"],
    ["a.doc", makeCompoundFile("WordDocument"), "DOC / XLS / PPT"],
    ["a.doc", makeCompoundFile("WordDocument", "about EncryptedPackage"), "DOC / XLS / PPT"],
    ["a.odt", makeOpenDocument(`${OPEN_DOCUMENT}.text`), "ODT"],
    ["a.zip", makeOpenDocument(`${OPEN_DOCUMENT}.spreadsheet`), "ODS"],
    ["a.odp", makeOpenDocument(`${OPEN_DOCUMENT}.presentation`), "ODP"],
    ["a.ott", makeOpenDocument(`${OPEN_DOCUMENT}.text-template`), "OTT"],
    ["a.odt", makeOpenDocument(`${OPEN_DOCUMENT}.unheard-of`), "OpenDocument"],
    ["a.epub", makeOpenDocument("application/epub+zip"), "EPUB"],
  ])("named %s is refused with its name", async (name, bytes, format) => {
    const { status, json } = await upload(bytes, name);
    expect([status, json.errors?.file]).toEqual([422, [expect.stringContaining(format)]]);
  });

  it("is stored as DOCX although its first entry declares the type", async () => {
    const type = `${OFFICE_TYPE_PREFIX}.wordprocessingml.document`;
    const bytes = makeArchive({
      mimetype: type,
      "[Content_Types].xml": buildContentTypesXml("word/document.xml", WORD_TYPE),
      "_rels/.rels": buildRelationsXml("word/document.xml"),
      "word/document.xml": "<x/>",
    });
    expect((await upload(bytes, "a.docx")).status).toBe(201);
  });
});

describe("an archive", () => {
  it.each([
    ["a log", "2026-11-27 12:00:00 INFO request finished status=200\n".repeat(60_000)],
    ["a table", "Ayşe,+905321234567,active\n".repeat(20_000)],
    ["a few zeros", Buffer.alloc(100_000)],
  ])("of %s is stored", async (_, content) => {
    const { status, json } = await upload(makeArchive({ "a.txt": content }), "a.zip");
    expect(status, JSON.stringify(json)).toBe(201);
  });

  it("is stored with a trailing line break, but refused with a trailing page", async () => {
    const unpadded = makeArchive({ "a.txt": "a" });
    const paddedResponse = await upload(Buffer.concat([unpadded, Buffer.from("\n")]), "a.zip");
    expect([paddedResponse.status, paddedResponse.json.media?.size]).toEqual([201, unpadded.length]);
    expect((await upload(Buffer.concat([unpadded, Buffer.from("<html>\n")]), "a.zip")).status).toBe(422);
  });

  it("is stored with backslashes in its names, as older Windows programs write them", async () => {
    const { status, json } = await upload(makeArchive({ "klasör\\a.txt": "a" }), "a.zip");
    expect(status, JSON.stringify(json)).toBe(201);
  });

  it("is stored when it comes from a Mac or has names in another character set", async () => {
    const macArchive = makeArchive({ "a.txt": "a", "__MACOSX/._a.txt": "b", ".DS_Store": "c", "empty/": "" });
    const cyrillicArchive = makeArchive({ "folder.txt": "a" });
    for (let at = cyrillicArchive.indexOf("folder"); at >= 0; at = cyrillicArchive.indexOf("folder"))
      Buffer.from([0x84, 0xae, 0xa3, 0x5c, 0xe0, 0xa0]).copy(cyrillicArchive, at);
    for (const bytes of [macArchive, cyrillicArchive])
      expect((await upload(bytes, "a.zip")).status).toBe(201);
  });
});

describe("a PDF", () => {
  const body = Buffer.from("%PDF-1.7\n1 0 obj\nendobj\ntrailer\n%%EOF");
  it.each([
    ["a byte order mark", Buffer.from("\uFEFF"), Buffer.alloc(0)],
    ["a byte order mark of UTF-16", Buffer.from([0xff, 0xfe]), Buffer.alloc(0)],
    ["mail headers", Buffer.from("Content-Type: application/pdf\r\n\r\n"), Buffer.from("\r\n")],
    ["printer commands", Buffer.from("\x1B%-12345X@PJL ENTER LANGUAGE=PDF\r\n"), Buffer.alloc(0)],
    ["trailing padding", Buffer.alloc(0), Buffer.alloc(200_000)],
    ["trailing line breaks", Buffer.alloc(0), Buffer.from("\r\n".repeat(2000))],
  ])("with %s is stored", async (_, leading, trailing) => {
    const { status, json } = await upload(Buffer.concat([leading, body, trailing]), "a.pdf");
    expect(status, JSON.stringify(json)).toBe(201);
    expect(json.media.mime_type).toBe("application/pdf");
  });

  it.each([
    ["a script", Buffer.from("#!/bin/sh\n"), "recognise"],
    ["a page", Buffer.from("<html>"), "HTML"],
    ["a picture", Buffer.from("GIF89a\x01\0\x01\0\0\0\0"), "GIF"],
    ["a program", Buffer.from("MZ\x90\0"), "EXE"],
    ["two kilobytes of text", Buffer.alloc(2000, "x"), "recognise"],
  ])("after %s is refused", async (_, leading, format) => {
    const { status, json } = await upload(Buffer.concat([leading, body]), "a.pdf");
    expect(status).toBe(422);
    expect(json.errors.file[0]).toContain(format);
  });

  it("is refused when truncated or followed by other content", async () => {
    for (const bytes of [body.subarray(0, 30), Buffer.concat([body, Buffer.alloc(3000, "x")])]) {
      const { status, json } = await upload(bytes, "a.pdf");
      expect(status).toBe(422);
      expect(json.errors.file[0]).toContain("PDF file is damaged");
    }
  });
});

describe("a text in UTF-16", () => {
  it("is refused as an unknown format, not taken for audio", async () => {
    const { json } = await upload(Buffer.from("\uFEFFMerhaba, bu bir not.", "utf16le"), "note.txt");
    expect(json.errors?.file[0]).toContain("recognise");
  });
});
