import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { makeToken, makeUser } from "@/server/testing/factories";
import { rawZip } from "@/server/testing/hostile-files";
import { form } from "@/server/testing/multipart";
import { testServer } from "@/server/testing/server";

const { call } = await testServer({ env: { RATE_LIMITS: "relaxed" } });
const token = await makeToken((await makeUser({ locale: "en" })).id);
const upload = (bytes: Uint8Array, filename: string) =>
  call("POST", "/api/media/upload", { token, ...form([{ bytes, filename }]) });

const archive = (files: Record<string, Buffer | string>) =>
  rawZip(
    Object.entries(files).map(([name, content]) => {
      const bytes = Buffer.from(content);
      return { name, packed: deflateRawSync(bytes), size: bytes.length };
    }),
  );
const VENDOR = "application/vnd.openxmlformats-officedocument";
const types = (part: string, type: string) =>
  `<?xml version="1.0"?><Types xmlns="x"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${part}" ContentType="${type}"/></Types>`;
const relations = (target: string) =>
  `<Relationships xmlns="x"><Relationship Id="r2" Type="http://x/relationships/core-properties" Target="docProps/core.xml"/><Relationship Id="r1" Type="http://x/relationships/officeDocument" Target="${target}"/></Relationships>`;
const office = (part: string, type: string, more: Record<string, string> = {}) =>
  archive({
    "[Content_Types].xml": types(part, type),
    "_rels/.rels": relations(part),
    [part]: "<x/>",
    ...more,
  });
const WORD = `${VENDOR}.wordprocessingml.document.main+xml`;
const SLIDES = `${VENDOR}.presentationml.presentation.main+xml`;

describe("an Office file", () => {
  it.each([
    ["of Word for the web", "docx", office("word/document2.xml", WORD)],
    ["with the main part elsewhere", "pptx", office("slides/main.xml", SLIDES)],
    [
      "with other case, quotation marks, prefixes and an absolute target",
      "docx",
      archive({
        "[content_types].xml": `<t:Types><t:Override ContentType='${WORD}' PartName='/Word/Document.xml'/></t:Types>`,
        "_rels/.rels": `<r:Relationships><r:Relationship\n Target='/word/document.xml' Type='http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument'/></r:Relationships>`,
        "word/document.xml": "<x/>",
      }),
    ],
    [
      "in UTF-16",
      "docx",
      archive({
        "[Content_Types].xml": Buffer.from(`\uFEFF${types("word/document.xml", WORD)}`, "utf16le"),
        "word/document.xml": "<x/>",
      }),
    ],
  ])("%s is stored as %s", async (_, format, bytes) => {
    const { status, json } = await upload(bytes, `a.${format}`);
    expect(status, JSON.stringify(json)).toBe(201);
    expect(json.media.name).toBe(`a.${format}`);
  });

  it.each([1, 1000, 200_000])("padded with %i zeros is stored without them", async (zeros) => {
    const whole = office("word/document.xml", WORD);
    const { status, json } = await upload(Buffer.concat([whole, Buffer.alloc(zeros)]), "a.docx");
    expect([status, json.media?.size]).toEqual([201, whole.length]);
  });

  it.each([
    ["a template", office("word/document.xml", `${VENDOR}.wordprocessingml.template.main+xml`), "DOTX"],
    ["a slide show", office("ppt/presentation.xml", `${VENDOR}.presentationml.slideshow.main+xml`), "PPSX"],
    ["a table", office("word/document.xml", `${VENDOR}.spreadsheetml.sheet.main+xml`), "XLSX"],
    [
      "a document with macros",
      office("word/document.xml", "application/vnd.ms-word.document.macroEnabled.main+xml"),
      "macros",
    ],
    [
      "a document with a macro part of another name",
      archive({
        "[Content_Types].xml": `${types("word/document.xml", WORD)}<Override PartName="/word/x.bin" ContentType="application/vnd.ms-office.vbaProject"/>`,
        "_rels/.rels": relations("word/document.xml"),
        "word/document.xml": "<x/>",
      }),
      "macros",
    ],
    [
      "a table whose comment declares a document",
      archive({
        "[Content_Types].xml": `<!--${types("x.xml", WORD)}-->${types("x.xml", `${VENDOR}.spreadsheetml.sheet.main+xml`)}`,
        "_rels/.rels": relations("x.xml"),
        "x.xml": "<x/>",
      }),
      "XLSX",
    ],
    [
      "a document without its main part",
      archive({ "[Content_Types].xml": types("word/document.xml", WORD), "a.xml": "<x/>" }),
      "Office Open XML",
    ],
    [
      "markup that repeats without an end",
      archive({ "[Content_Types].xml": `${"<!--<a ".repeat(100)}${"é".repeat(3000)}`, "a.xml": "<x/>" }),
      "Office Open XML",
    ],
  ])("that is %s is refused by its name", async (_, bytes, found) => {
    const { status, json } = await upload(bytes, "a.docx");
    expect(status).toBe(422);
    expect(json.errors.file[0]).toContain(found);
  });
});

describe("an archive", () => {
  it("of older Windows programs, with backslashes in its names, is stored", async () => {
    const { status, json } = await upload(archive({ "klasör\\a.txt": "a" }), "a.zip");
    expect(status, JSON.stringify(json)).toBe(201);
  });

  it("of a Mac, and one whose names are in another character set, is stored", async () => {
    const mac = archive({ "a.txt": "a", "__MACOSX/._a.txt": "b", ".DS_Store": "c", "empty/": "" });
    const cyrillic = archive({ "folder.txt": "a" });
    for (let at = cyrillic.indexOf("folder"); at >= 0; at = cyrillic.indexOf("folder"))
      Buffer.from([0x84, 0xae, 0xa3, 0x5c, 0xe0, 0xa0]).copy(cyrillic, at);
    for (const bytes of [mac, cyrillic]) expect((await upload(bytes, "a.zip")).status).toBe(201);
  });
});

describe("a PDF", () => {
  const body = Buffer.from("%PDF-1.7\n1 0 obj\nendobj\ntrailer\n%%EOF");
  it.each([
    ["a byte order mark", Buffer.from("\uFEFF"), Buffer.alloc(0)],
    ["the head of a mail", Buffer.from("Content-Type: application/pdf\r\n\r\n"), Buffer.from("\r\n")],
    ["commands of a printer", Buffer.from("\x1B%-12345X@PJL ENTER LANGUAGE=PDF\r\n"), Buffer.alloc(0)],
    ["padding behind it", Buffer.alloc(0), Buffer.alloc(200_000)],
    ["line breaks behind it", Buffer.alloc(0), Buffer.from("\r\n".repeat(2000))],
  ])("with %s is stored", async (_, before, behind) => {
    const { status, json } = await upload(Buffer.concat([before, body, behind]), "a.pdf");
    expect(status, JSON.stringify(json)).toBe(201);
    expect(json.media.mime_type).toBe("application/pdf");
  });

  it.each([
    ["a script", Buffer.from("#!/bin/sh\n"), "not of a known type"],
    ["a page", Buffer.from("<html>"), "HTML"],
    ["a picture", Buffer.from("GIF89a\x01\0\x01\0\0\0\0"), "GIF"],
    ["a program", Buffer.from("MZ\x90\0"), "EXE"],
    ["two kilobytes of something", Buffer.alloc(2000, "x"), "not of a known type"],
  ])("behind %s is refused", async (_, before, found) => {
    const { status, json } = await upload(Buffer.concat([before, body]), "a.pdf");
    expect(status).toBe(422);
    expect(json.errors.file[0]).toContain(found);
  });

  it("that is cut off before its end, or followed by something else, is refused", async () => {
    for (const bytes of [body.subarray(0, 30), Buffer.concat([body, Buffer.alloc(3000, "x")])]) {
      const { status, json } = await upload(bytes, "a.pdf");
      expect(status).toBe(422);
      expect(json.errors.file[0]).toContain("PDF file is damaged");
    }
  });
});
