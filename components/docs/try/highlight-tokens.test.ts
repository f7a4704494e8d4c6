import { expect, it } from "vitest";
import { tokenize } from "./highlight-tokens";

const joinText = (tokens: ReturnType<typeof tokenize>) => tokens.map(({ text }) => text).join("");
const findSecrets = (text: string, isJson = true) =>
  tokenize(text, isJson).flatMap(({ kind, text: secretText }) => (kind === "secret" ? secretText : []));

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
  const tokens = tokenize(text, true);
  expect(joinText(tokens)).toBe(text);
  expect(findSecrets(text)).toEqual([
    '"1|abc"',
    '"abcdef"',
    '"aaaa-bbbb"',
    '"cccc-dddd"',
    '"The key dsu_0123456789abcdef is in a sentence"',
  ]);
  const textsOfKind = (kind: string) => tokens.flatMap((each) => (each.kind === kind ? each.text : []));
  expect(textsOfKind("word")).toEqual(["true", "null"]);
  expect(textsOfKind("number")).toEqual(["7", "-1.5e-7"]);
});

it("finds secrets in plain text and does not colour long responses", () => {
  expect(findSecrets("id,key\n7,whsec_MfKQ9r8GKYqrTwjUPD8=\n", false)).toEqual([
    "whsec_MfKQ9r8GKYqrTwjUPD8=",
  ]);
  const longText = JSON.stringify({ rows: Array.from({ length: 30_000 }, (_, id) => ({ id })), secret: "x" });
  const tokens = tokenize(longText, true);
  expect(joinText(tokens)).toBe(longText);
  expect(tokens.map(({ kind }) => kind)).toEqual(["rest", "secret", "rest"]);
});
