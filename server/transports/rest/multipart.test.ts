import { describe, expect, test } from "vitest";
import { AppError, invalid, refuse } from "@/server/core/errors";
import { readFile } from "./multipart";

const BOUNDARY = "--edge";
const RULES = {
  field: "file",
  maxBytes: 1000,
  tooLarge: () => refuse("body_too_large", { params: { limit: 1000 } }),
};
const HEAD = 'content-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
const CONTENT = `${"\r\n----edg".repeat(9)}\r\r\n--\r\n----edge`.slice(0, -1);
const END = `\r\n--${BOUNDARY}--\r\n`;

const formOf = (content: string, end = END) => Buffer.from(`--${BOUNDARY}\r\n${HEAD}${content}${end}`);

async function* chunksOf(bytes: Buffer, at: number, length: number): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, at);
  for (let from = at; from < bytes.length; from += length) yield bytes.subarray(from, from + length);
}

async function contentOf(pieces: AsyncIterable<Uint8Array>): Promise<unknown> {
  try {
    const { content } = await readFile(pieces, BOUNDARY, RULES);
    let read = "";
    for await (const piece of content) read += Buffer.from(piece).toString("latin1");
    return read;
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, issues: error.extras.issues };
    throw error;
  }
}

const summaryOf = ({ code, extras }: AppError) => ({ code, issues: extras.issues });

describe("a form with one file", () => {
  test("is read correctly wherever the network splits it", async () => {
    const bytes = formOf(CONTENT);
    for (let at = 0; at <= bytes.length; at++)
      expect(await contentOf(chunksOf(bytes, at, 4096))).toBe(CONTENT);
    for (const length of [1, 2, 3, 7]) expect(await contentOf(chunksOf(bytes, 0, length))).toBe(CONTENT);
  });

  test.each([
    ["another file", `\r\n--${BOUNDARY}\r\n${HEAD}b${END}`, invalid("file", "one_file")],
    ["no closing delimiter", "", refuse("malformed_request")],
    ["half a closing delimiter", `\r\n--${BOUNDARY}-`, refuse("malformed_request")],
    ["a longer delimiter", `\r\n--${BOUNDARY}s--\r\n`, refuse("malformed_request")],
  ])("is rejected with %s, wherever it is split", async (_, end, error) => {
    const bytes = formOf("a", end);
    for (let at = 0; at <= bytes.length; at++)
      expect(await contentOf(chunksOf(bytes, at, 4096))).toEqual(summaryOf(error));
  });

  const value = (name: string, text: string) =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
  const formWith = (before: string, after = "") =>
    Buffer.from(`${before}--${BOUNDARY}\r\n${HEAD}${CONTENT}\r\n${after}--${BOUNDARY}--\r\n`);

  test("may contain a few short values anywhere", async () => {
    const bytes = formWith(value("_token", "x") + value("note", ""), value("folder", "a\r\n--b"));
    for (let at = 0; at <= bytes.length; at++)
      expect(await contentOf(chunksOf(bytes, at, 4096))).toBe(CONTENT);
    for (const length of [1, 2, 3, 7]) expect(await contentOf(chunksOf(bytes, 0, length))).toBe(CONTENT);
  });

  test.each([
    ["too many", value("a", "b").repeat(21)],
    ["too long", value("a", "b".repeat(20_000))],
  ])("is rejected with %s values, before and after the file", async (_, values) => {
    for (const bytes of [formWith(values), formWith("", values)])
      expect(await contentOf(chunksOf(bytes, 0, 4096))).toEqual(summaryOf(invalid("file", "one_file")));
  });

  test("is reported as missing for a form of values and a file under another name", async () => {
    const missing = summaryOf(invalid("file", "required"));
    const values = Buffer.from(`${value("a", "b")}--${BOUNDARY}--\r\n`);
    expect(await contentOf(chunksOf(values, 0, 4096))).toEqual(missing);
    const other = Buffer.from(
      formWith("").toString("latin1").replace('name="file"', 'name="upload"'),
      "latin1",
    );
    expect(await contentOf(chunksOf(other, 0, 4096))).toEqual(missing);
  });

  test.each([
    [`filename="a.pdf"; filename*=UTF-8''%C5%9F.pdf`, "ş.pdf"],
    [`filename*=utf-8'tr'%C5%9F%20b.pdf; filename="a.pdf"`, "ş b.pdf"],
    [`filename="a.pdf"; filename*=UTF-8''%E0%A4`, "a.pdf"],
    [`filename="a.pdf"; filename*=iso-8859-1'en'%A3.pdf`, "£.pdf"],
    [`filename="a.pdf"; filename*="UTF-8''%C5%9F.pdf"`, "ş.pdf"],
    [`filename="a.pdf"; filename*=ISO-8859-9''%DEube.pdf`, "Şube.pdf"],
    [`filename="a.pdf"; filename*=unknown''%DEube.pdf`, "a.pdf"],
    [`filename="\xDEube.pdf"`, "Şube.pdf"],
    [`filename="a%22b%0D%0Ac %20%5C.pdf"`, 'a"b\r\nc %20%5C.pdf'],
    [`filename="a\\"b.pdf"`, 'a"b.pdf'],
    [`filename="${Buffer.from("Договор 🧾.pdf").toString("latin1")}"`, "Договор 🧾.pdf"],
  ])("takes its name from %s", async (names, name) => {
    const bytes = Buffer.from(formWith("").toString("latin1").replace('filename="a.pdf"', names), "latin1");
    expect((await readFile(chunksOf(bytes, 0, 64), BOUNDARY, RULES)).name).toBe(name);
  });

  test("is reported as empty, and as missing when it also has no name", async () => {
    const empty = (name: string) => Buffer.from(formOf("").toString().replace("a.pdf", name));
    expect(await contentOf(chunksOf(empty("a.pdf"), 0, 64))).toEqual(
      summaryOf(invalid("file", "file_empty")),
    );
    expect(await contentOf(chunksOf(empty(""), 0, 64))).toEqual(summaryOf(invalid("file", "required")));
  });

  test("accepts one large chunk that resembles delimiters", async () => {
    const content = "\r\n--".repeat(50_000);
    const rules = { ...RULES, maxBytes: content.length };
    const file = await readFile(chunksOf(formOf(content), 0, 2 ** 20), BOUNDARY, rules);
    let size = 0;
    for await (const piece of file.content) size += piece.length;
    expect(size).toBe(content.length);
  });

  test("accepts a file of exactly the limit and rejects a larger one", async () => {
    expect(await contentOf(chunksOf(formOf("a".repeat(1000)), 0, 64))).toHaveLength(1000);
    expect(await contentOf(chunksOf(formOf("a".repeat(1001)), 0, 64))).toMatchObject({
      code: "body_too_large",
    });
  });
});
