import { describe, expect, test } from "vitest";
import { AppError, createError, invalidField } from "@/server/core/errors";
import { readFormFile } from "./multipart";

const BOUNDARY = "--edge";
const RULES = {
  field: "file",
  maxBytes: 1000,
  createTooLargeError: () => createError("body_too_large", { params: { limit: 1000 } }),
};
const FILE_HEADER = 'content-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
/** Almost contains the delimiter, many times. */
const DELIMITER_LIKE_CONTENT = `${"\r\n----edg".repeat(9)}\r\r\n--\r\n----edge`.slice(0, -1);
const CLOSING_DELIMITER = `\r\n--${BOUNDARY}--\r\n`;

const buildForm = (content: string, end = CLOSING_DELIMITER) =>
  Buffer.from(`--${BOUNDARY}\r\n${FILE_HEADER}${content}${end}`);

async function* splitIntoChunks(bytes: Buffer, splitAt: number, length: number): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, splitAt);
  for (let start = splitAt; start < bytes.length; start += length)
    yield bytes.subarray(start, start + length);
}

async function readContentOrError(pieces: AsyncIterable<Uint8Array>): Promise<unknown> {
  try {
    const { content } = await readFormFile(pieces, BOUNDARY, RULES);
    let text = "";
    for await (const piece of content) text += Buffer.from(piece).toString("latin1");
    return text;
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, issues: error.extras.issues };
    throw error;
  }
}

const summarizeError = ({ code, extras }: AppError) => ({ code, issues: extras.issues });

describe("a form with one file", () => {
  test("is parsed correctly at every chunk boundary", async () => {
    const bytes = buildForm(DELIMITER_LIKE_CONTENT);
    for (let splitAt = 0; splitAt <= bytes.length; splitAt++)
      expect(await readContentOrError(splitIntoChunks(bytes, splitAt, 4096))).toBe(DELIMITER_LIKE_CONTENT);
    for (const length of [1, 2, 3, 7])
      expect(await readContentOrError(splitIntoChunks(bytes, 0, length))).toBe(DELIMITER_LIKE_CONTENT);
  });

  test.each([
    [
      "another file",
      `\r\n--${BOUNDARY}\r\n${FILE_HEADER}b${CLOSING_DELIMITER}`,
      invalidField("file", "one_file"),
    ],
    ["no closing delimiter", "", createError("malformed_request")],
    ["half a closing delimiter", `\r\n--${BOUNDARY}-`, createError("malformed_request")],
    ["a longer delimiter", `\r\n--${BOUNDARY}s--\r\n`, createError("malformed_request")],
  ])("is rejected with %s, wherever it is split", async (_, end, error) => {
    const bytes = buildForm("a", end);
    for (let splitAt = 0; splitAt <= bytes.length; splitAt++)
      expect(await readContentOrError(splitIntoChunks(bytes, splitAt, 4096))).toEqual(summarizeError(error));
  });

  const buildField = (name: string, text: string) =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
  const buildFormWithFields = (partsBefore: string, partsAfter = "") =>
    Buffer.from(
      `${partsBefore}--${BOUNDARY}\r\n${FILE_HEADER}${DELIMITER_LIKE_CONTENT}\r\n${partsAfter}--${BOUNDARY}--\r\n`,
    );

  test("may contain a few short fields anywhere", async () => {
    const bytes = buildFormWithFields(
      buildField("_token", "x") + buildField("note", ""),
      buildField("folder", "a\r\n--b"),
    );
    for (let splitAt = 0; splitAt <= bytes.length; splitAt++)
      expect(await readContentOrError(splitIntoChunks(bytes, splitAt, 4096))).toBe(DELIMITER_LIKE_CONTENT);
    for (const length of [1, 2, 3, 7])
      expect(await readContentOrError(splitIntoChunks(bytes, 0, length))).toBe(DELIMITER_LIKE_CONTENT);
  });

  test.each([
    ["too many", buildField("a", "b").repeat(21)],
    ["too long", buildField("a", "b".repeat(20_000))],
  ])("is rejected with %s fields, before and after the file", async (_, fields) => {
    for (const bytes of [buildFormWithFields(fields), buildFormWithFields("", fields)])
      expect(await readContentOrError(splitIntoChunks(bytes, 0, 4096))).toEqual(
        summarizeError(invalidField("file", "one_file")),
      );
  });

  test("is rejected with `required` without a file or with the file in another field", async () => {
    const missingError = summarizeError(invalidField("file", "required_choice"));
    const fields = Buffer.from(`${buildField("a", "b")}--${BOUNDARY}--\r\n`);
    expect(await readContentOrError(splitIntoChunks(fields, 0, 4096))).toEqual(missingError);
    const otherForm = Buffer.from(
      buildFormWithFields("").toString("latin1").replace('name="file"', 'name="upload"'),
      "latin1",
    );
    expect(await readContentOrError(splitIntoChunks(otherForm, 0, 4096))).toEqual(missingError);
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
  ])("takes the file's name from %s", async (names, name) => {
    const bytes = Buffer.from(
      buildFormWithFields("").toString("latin1").replace('filename="a.pdf"', names),
      "latin1",
    );
    expect((await readFormFile(splitIntoChunks(bytes, 0, 64), BOUNDARY, RULES)).name).toBe(name);
  });

  test("is rejected with `file_empty` if the file is empty, `required` if it also has no name", async () => {
    const buildEmptyForm = (name: string) => Buffer.from(buildForm("").toString().replace("a.pdf", name));
    expect(await readContentOrError(splitIntoChunks(buildEmptyForm("a.pdf"), 0, 64))).toEqual(
      summarizeError(invalidField("file", "file_empty")),
    );
    expect(await readContentOrError(splitIntoChunks(buildEmptyForm(""), 0, 64))).toEqual(
      summarizeError(invalidField("file", "required_choice")),
    );
  });

  test("accepts one large chunk that resembles delimiters", async () => {
    const content = "\r\n--".repeat(50_000);
    const rules = { ...RULES, maxBytes: content.length };
    const file = await readFormFile(splitIntoChunks(buildForm(content), 0, 2 ** 20), BOUNDARY, rules);
    let size = 0;
    for await (const piece of file.content) size += piece.length;
    expect(size).toBe(content.length);
  });

  test("accepts a file of exactly the limit and rejects a larger one", async () => {
    expect(await readContentOrError(splitIntoChunks(buildForm("a".repeat(1000)), 0, 64))).toHaveLength(1000);
    expect(await readContentOrError(splitIntoChunks(buildForm("a".repeat(1001)), 0, 64))).toMatchObject({
      code: "body_too_large",
    });
  });
});
