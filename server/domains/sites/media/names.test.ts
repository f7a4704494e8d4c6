import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatText } from "@/server/core/texts";
import { makeToken, makeUser } from "@/server/testing/factories";
import { sendHttp } from "@/server/testing/http";
import { buildMultipartForm } from "@/server/testing/multipart";
import { startTestServer } from "@/server/testing/server";

const { call, port } = await startTestServer({ env: { RATE_LIMITS: "relaxed" } });
const token = await makeToken((await makeUser({ locale: "en" })).id);
const letter = await readFile(join(import.meta.dirname, "../../../testing/media/letter.pdf"));
const upload = (filename: string, bytes: Uint8Array = letter) =>
  call("POST", "/api/media/upload", { token, ...buildMultipartForm([{ bytes, filename }]) });

describe("the name of a file", () => {
  it.each([
    ["Договор аренды.pdf", "Договор аренды.pdf", "file.pdf"],
    ["فاتورة نوفمبر.pdf", "فاتورة نوفمبر.pdf", "file.pdf"],
    ["🧾.pdf", "🧾.pdf", "file.pdf"],
    ["👩‍💻 می‌خواهم.pdf", "👩‍💻 می‌خواهم.pdf", "file.pdf"],
    ["İş sözleşmesi (2).pdf", "İş sözleşmesi (2).pdf", "is-sozlesmesi-2.pdf"],
    ["Çağrı".normalize("NFD"), "Çağrı.pdf", "cagri.pdf"],
    ["notları 27.11.2026", "notları 27.11.2026.pdf", "notlari-27-11-2026.pdf"],
    ["Ромашка.Москва", "Ромашка.Москва.pdf", "file.pdf"],
    ["it's 100%(*).pdf", "it's 100%(*).pdf", "it-s-100.pdf"],
    ["a%22b%0D%0Ac.pdf", 'a"b c.pdf', "a-b-c.pdf"],
    ["a%20b.pdf", "a%20b.pdf", "a-20b.pdf"],
    [`${"🇹🇷".repeat(100)}.pdf`, `${"🇹🇷".repeat(58)}.pdf`, "file.pdf"],
  ])("%s is kept for lists and downloads", async (uploadName, name, fallback) => {
    const { status, json } = await upload(uploadName);
    expect(status, JSON.stringify(json)).toBe(201);
    expect(json.media.name).toBe(name);
    const { headers } = await sendHttp(port, "HEAD", new URL(json.url).pathname);
    const [plain, extended] = headers["content-disposition"]!.split("; filename*=UTF-8''");
    expect(plain).toBe(`attachment; filename="${fallback}"`);
    expect(decodeURIComponent(extended!)).toBe(name);
    expect(extended).toMatch(/^[\w.~!-]*(?:%[\dA-F]{2}[\w.~!-]*)*$/);
  });

  it("is sent once if it is plain ASCII", async () => {
    const { json } = await upload("letter.pdf");
    const { headers } = await sendHttp(port, "HEAD", new URL(json.url).pathname);
    expect(headers["content-disposition"]).toBe('attachment; filename="letter.pdf"');
  });

  it("is refused with the extension of a program or page, despite hidden characters", async () => {
    for (const name of ["a.exe", "27.11.2026.html", "a.exe\u202E", "a.pdf.js", "a.mp4"])
      expect([name, (await upload(name)).status]).toEqual([name, 422]);
  });
});

describe("an empty file", () => {
  it.each([["/api/media/upload"], ["/api/user/avatar"]])("is reported as empty at %s", async (path) => {
    const uploadEmpty = (filename: string) =>
      call("POST", path, { token, ...buildMultipartForm([{ bytes: "", filename }]) });
    const { status, json } = await uploadEmpty("empty.jpg");
    expect([status, json.errors.file]).toEqual([422, [formatText("en", "validation.file_empty")]]);
    expect((await uploadEmpty("")).json.errors.file).toEqual([
      formatText("en", "validation.required_choice", { attribute: "file" }),
    ]);
  });
});
