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
import { perform } from "@/server/transports/perform";
import { renderError } from "@/server/transports/render-error";
import { handlers } from "@/server/transports/rest/operations";
import { check } from "./check";

/* A form reports before it is sent what the server would report: the same fields, in the same words. */

/** The panel's translator in a browser, which has no dictionary of its own but these. */
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

/** Expects that the browser finds the problems that the server reports for the same values. */
async function expectSameProblems(operation: AnyOperation, locale: Locale): Promise<void> {
  const origin = { requestId: "", ip: "", userAgent: null, acceptLanguage: null, host: null };
  const call = newCall({ ...operation, params: undefined, query: undefined }, origin, locale);
  const handler = { operation: call.operation, run: () => Promise.reject(new Error("nothing is wrong")) };
  const fields = Object.keys(operation.body!.shape);
  const inputs = VALUES.map((value) => Object.fromEntries(fields.map((field) => [field, value])));
  for (const typed of [{}, ...inputs]) {
    const sent: unknown = JSON.parse(JSON.stringify(typed));
    const raw = { params: {}, query: {}, body: normaliseInput(sent) };
    const thrown: unknown = await perform(handler, call, raw).catch((error: unknown) => error);
    const refused = isAppError(thrown) && thrown.code === "validation";
    const body = refused ? renderError(thrown, locale, { technical: false }) : {};
    const reported = Object.entries((body.errors ?? {}) as Record<string, string[]>);
    expect(problemsOf(locale, operation, sent)).toEqual(
      Object.fromEntries(reported.map(([field, [first]]) => [field, first])),
    );
  }
}

describe("a form finds the problems that the server reports", () => {
  it.each(withBody)("for $id", (operation) => expectSameProblems(operation, "en"));

  // The language only changes the texts, so a few bodies with many kinds of fields are enough.
  it.each(LOCALES)("in %s", async (locale) => {
    for (const id of ["register", "createSite", "createConnection"])
      await expectSameProblems(withBody.find((each) => each.id === id)!, locale);
  });
});

describe("a form", () => {
  it.each([
    ["a field left out", { name: undefined }, "name", "The name field is required."],
    ["a field of blanks", { name: "   " }, "name", "The name field is required."],
    ["a number for a text", { name: 5 }, "name", "The name field must be text."],
    ["a text too long", { name: "x".repeat(256) }, "name", /at most 255 characters/],
    ["a list for a text", { name: ["x"] }, "name", "The name field must be text."],
    ["a consent as text", { consents: { terms: "yes" } }, "consents.terms", /terms of service/],
  ])("reports %s", (_, typed, field, expected) => {
    expect(problemsOf("en", { body: RegisterInput }, typed)[field]).toMatch(expected);
  });

  it("trims texts, makes empty ones null, and leaves passwords as they are typed", () => {
    const typed = { name: " Ayşe ", domain: "", password: " pass ", value: " v ", new_password: "" };
    expect({ ...(check(undefined, typed, wordsOf("en")).values as object) }).toEqual({
      name: "Ayşe",
      domain: null,
      password: " pass ",
      value: " v ",
      new_password: "",
    });
  });

  it("finds no problem in values that the server accepts", () => {
    const site = { name: "Kaya", domain: "kaya.example.com" };
    expect(check(createSite.body, site, wordsOf("en")).problems).toEqual({});
    const proof = { method: "password", value: " secret " };
    expect(check(confirmIdentity.body, proof, wordsOf("en")).problems).toEqual({});
  });
});
