import { expect, it } from "vitest";
import { tokenize } from "./tokens";

const together = (pieces: ReturnType<typeof tokenize>) => pieces.map(({ text }) => text).join("");
const secrets = (text: string, isJson = true) =>
  tokenize(text, isJson).flatMap(({ kind, text: own }) => (kind === "secret" ? own : []));

const BODY = {
  token: "1|abc",
  access_token: { id: 7, name: 'quo"ted \\ <img src=x onerror=alert(1)>' },
  external_api_key: "abcdef",
  recovery_codes: ["aaaa-bbbb", "cccc-dddd"],
  text: "The key dsu_0123456789abcdef is in a sentence",
  active: true,
  none: null,
  share: -1.5e-7,
};

it("keeps every character and separates secrets", () => {
  const text = JSON.stringify(BODY, null, 2);
  const pieces = tokenize(text, true);
  expect(together(pieces)).toBe(text);
  expect(secrets(text)).toEqual([
    '"1|abc"',
    '"abcdef"',
    '"aaaa-bbbb"',
    '"cccc-dddd"',
    '"The key dsu_0123456789abcdef is in a sentence"',
  ]);
  const kinds = (kind: string) => pieces.flatMap((each) => (each.kind === kind ? each.text : []));
  expect(kinds("word")).toEqual(["true", "null"]);
  expect(kinds("number")).toEqual(["7", "-1.5e-7"]);
});

it("finds secrets in plain text and does not colour long responses", () => {
  expect(secrets("id,key\n7,whsec_MfKQ9r8GKYqrTwjUPD8=\n", false)).toEqual(["whsec_MfKQ9r8GKYqrTwjUPD8="]);
  const long = JSON.stringify({ rows: Array.from({ length: 30_000 }, (_, id) => ({ id })), secret: "x" });
  const pieces = tokenize(long, true);
  expect(together(pieces)).toBe(long);
  expect(pieces.map(({ kind }) => kind)).toEqual(["rest", "secret", "rest"]);
});
