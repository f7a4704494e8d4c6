import { createTranslator } from "use-intl/core";
import { describe, expect, it } from "vitest";
import type { AnyOperation } from "@/server/core/contract";
import { isAppError } from "@/server/core/errors";
import { normaliseInput } from "@/server/core/input";
import type { Words } from "@/server/core/issues";
import { LOCALES, type Locale } from "@/server/core/locale";
import { dictionaryOf } from "@/server/core/texts";
import { RegisterInput } from "@/server/domains/access/registration/contract";
import { confirmIdentity } from "@/server/domains/access/sign-in/contract";
import { createSite } from "@/server/domains/sites/sites/contract";
import { newCall } from "@/server/transports/admission";
import { renderError } from "@/server/transports/render-error";
import { handlers } from "@/server/transports/rest/operations";
import { runOperation } from "@/server/transports/run-operation";
import { check } from "./check";

function wordsOf(locale: Locale): Words {
  const { validation } = dictionaryOf(locale) as { validation: Record<string, never> };
  const t = createTranslator({ locale, messages: { validation } });
  return {
    has: (key) => t.has(key as never),
    text: (key, params) => t(key as never, params as never),
  };
}

type Form = { body?: Parameters<typeof check>[0]; labels?: Parameters<typeof check>[3] };
const problemsOf = (locale: Locale, { body, labels }: Form, typed: unknown) =>
  Object.fromEntries(
    Object.entries(check(body, typed, wordsOf(locale), labels).problems).map(([field, { message }]) => [
      field,
      message,
    ]),
  );

const VALUES = [
  undefined,
  null,
  "",
  "  ",
  "x",
  7,
  1e12,
  -1,
  0.5,
  true,
  [],
  ["x"],
  {},
  { x: 1 },
  "x".repeat(6e4),
];

const withBody = handlers()
  .map(({ operation }) => operation)
  .filter(({ body }) => body);

async function expectSameProblems(operation: AnyOperation, locale: Locale): Promise<void> {
  const origin = { requestId: "", ip: "", userAgent: null, acceptLanguage: null, host: null };
  const call = newCall({ ...operation, params: undefined, query: undefined }, origin, locale);
  const handler = { operation: call.operation, run: () => Promise.reject(new Error("nothing is wrong")) };
  const fields = Object.keys(operation.body!.shape);
  const inputs = VALUES.map((value) => Object.fromEntries(fields.map((field) => [field, value])));
  for (const typed of [{}, ...inputs]) {
    const sent: unknown = JSON.parse(JSON.stringify(typed));
    const raw = { params: {}, query: {}, body: normaliseInput(sent) };
    const thrown: unknown = await runOperation(handler, call, raw).catch((error: unknown) => error);
    const refused = isAppError(thrown) && thrown.code === "validation";
    const body = refused ? renderError(thrown, locale, { technical: false }) : {};
    const reported = Object.entries((body.errors ?? {}) as Record<string, string[]>);
    expect(problemsOf(locale, operation, sent)).toEqual(
      Object.fromEntries(reported.map(([field, [first]]) => [field, first])),
    );
  }
}

describe("check reports the same problems as the server", () => {
  it.each(withBody)("for $id", (operation) => expectSameProblems(operation, "en"));

  it.each(LOCALES)("in %s", async (locale) => {
    for (const id of ["register", "createSite", "createConnection"])
      await expectSameProblems(withBody.find((each) => each.id === id)!, locale);
  });
});

describe("check", () => {
  it.each([
    ["a missing field", { name: undefined }, "name", "The name field is required."],
    ["a blank field", { name: "   " }, "name", "The name field is required."],
    ["a number instead of text", { name: 5 }, "name", "The name field must be text."],
    ["a text that is too long", { name: "x".repeat(256) }, "name", /at most 255 characters/],
    ["a list instead of text", { name: ["x"] }, "name", "The name field must be text."],
    ["a consent given as text", { consents: { terms: "yes" } }, "consents.terms", /terms of service/],
  ])("reports %s", (_, typed, field, expected) => {
    expect(problemsOf("en", { body: RegisterInput }, typed)[field]).toMatch(expected);
  });

  it("trims texts, turns empty ones into null and leaves passwords unchanged", () => {
    const typed = { name: " Ayşe ", domain: "", password: " pass ", value: " v ", new_password: "" };
    expect({ ...(check(undefined, typed, wordsOf("en")).values as object) }).toEqual({
      name: "Ayşe",
      domain: null,
      password: " pass ",
      value: " v ",
      new_password: "",
    });
  });

  it("accepts values that the server accepts", () => {
    const site = { name: "Kaya", domain: "kaya.example.com" };
    expect(check(createSite.body, site, wordsOf("en")).problems).toEqual({});
    const proof = { method: "password", value: " secret " };
    expect(check(confirmIdentity.body, proof, wordsOf("en")).problems).toEqual({});
  });
});
