import { describe, expect, it } from "vitest";
import { buildContentDisposition, cleanFileName } from "./file-name";

describe("a file name", () => {
  it.each([
    ["C:\\fakepath\\a.pdf", "a.pdf"],
    ["../../etc/passwd", "passwd"],
    ["a\r\nb\tc.pdf", "a b c.pdf"],
    ["a\u202Efdp.exe", "afdp.exe"],
    ["\uFEFFa\u200B.pdf", "a.pdf"],
    ["é.pdf".normalize("NFD"), "é.pdf"],
    ["می\u200Cخواهم.pdf", "می\u200Cخواهم.pdf"],
    ["\uD83D.pdf", "\uFFFD.pdf"],
    ["fatura.pdf. .", "fatura.pdf"],
    ["fatura．pdf", "fatura.pdf"],
    ["  .  ", ""],
  ])("%j is cleaned to %j", (rawName, name) => {
    expect(cleanFileName(rawName)).toBe(name);
  });
});

describe("a content disposition", () => {
  it.each([
    ["invoice-A1.pdf", 'attachment; filename="invoice-A1.pdf"'],
    ["Menü 1.pdf", "attachment; filename=\"Menu 1.pdf\"; filename*=UTF-8''Men%C3%BC%201.pdf"],
    ['a"b\\c%.pdf', "attachment; filename=\"a_b_c_.pdf\"; filename*=UTF-8''a%22b%5Cc%25.pdf"],
    ["it's (1)*.pdf", 'attachment; filename="it\'s (1)*.pdf"'],
    ["аб.pdf", "attachment; filename=\"__.pdf\"; filename*=UTF-8''%D0%B0%D0%B1.pdf"],
    ["ı'\r\n.pdf", "attachment; filename=\"_'__.pdf\"; filename*=UTF-8''%C4%B1%27%0D%0A.pdf"],
  ])("for %j is %s", (name, header) => {
    expect(buildContentDisposition("attachment", name)).toBe(header);
  });
});
