import { createTranslator } from "use-intl/core";
import { describe, expect, it } from "vitest";
import type { AnyOperation } from "@/server/core/contract";
import { isAppError } from "@/server/core/errors";
import { normaliseInput } from "@/server/core/input";
import type { MessageSource } from "@/server/core/issues";
import { LOCALES, type Locale } from "@/server/core/locale";
import { readDictionary } from "@/server/core/texts";
import { register } from "@/server/domains/access/registration/contract";
import { confirmIdentity } from "@/server/domains/access/sign-in/contract";
import { createSite } from "@/server/domains/sites/sites/contract";
import { newCall } from "@/server/transports/admission";
import { renderError } from "@/server/transports/render-error";
import { getHandlers } from "@/server/transports/rest/operations";
import { runOperation } from "@/server/transports/run-operation";
import { validateForm } from "./validate-form";

function buildMessages(locale: Locale): MessageSource {
  const { validation } = readDictionary(locale) as { validation: Record<string, never> };
  const t = createTranslator({ locale, messages: { validation } });
  return {
    has: (key) => t.has(key as never),
    text: (key, params) => t(key as never, params as never),
  };
}

type Form = { body?: Parameters<typeof validateForm>[0]; labels?: Parameters<typeof validateForm>[3] };
const findProblems = (locale: Locale, { body, labels }: Form, input: unknown) =>
  Object.fromEntries(
    Object.entries(validateForm(body, input, buildMessages(locale), labels).problems).map(
      ([field, { message }]) => [field, message],
    ),
  );

const SAMPLE_VALUES = [
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

const operationsWithBody = getHandlers()
  .map(({ operation }) => operation)
  .filter(({ body }) => body);

async function expectSameProblems(operation: AnyOperation, locale: Locale): Promise<void> {
  const origin = { requestId: "", ip: "", userAgent: null, acceptLanguage: null, host: null };
  const call = newCall({ ...operation, params: undefined, query: undefined }, origin, locale);
  const handler = { operation: call.operation, run: () => Promise.reject(new Error("nothing is wrong")) };
  const fieldNames = Object.keys(operation.body!.shape);
  const inputs = SAMPLE_VALUES.map((value) => Object.fromEntries(fieldNames.map((field) => [field, value])));
  for (const input of [{}, ...inputs]) {
    const requestBody: unknown = JSON.parse(JSON.stringify(input));
    const rawInput = { params: {}, query: {}, body: normaliseInput(requestBody) };
    const thrownError: unknown = await runOperation(handler, call, rawInput).catch((error: unknown) => error);
    const isRefused = isAppError(thrownError) && thrownError.code === "validation";
    const body = isRefused ? renderError(thrownError, locale, { usesFixedText: false }) : {};
    const serverProblems = Object.entries((body.errors ?? {}) as Record<string, string[]>);
    expect(findProblems(locale, operation, requestBody)).toEqual(
      Object.fromEntries(serverProblems.map(([field, [firstMessage]]) => [field, firstMessage])),
    );
  }
}

describe("validateForm reports the same problems as the server", () => {
  it.each(operationsWithBody)("for $id", (operation) => expectSameProblems(operation, "en"));

  it.each(LOCALES)("in %s", async (locale) => {
    for (const id of ["register", "createSite", "createConnection"])
      await expectSameProblems(operationsWithBody.find((each) => each.id === id)!, locale);
  });
});

describe("validateForm", () => {
  it.each([
    ["a missing field", { name: undefined }, "name", "Enter the full name."],
    ["a blank field", { name: "   " }, "name", "Enter the full name."],
    ["a number instead of text", { name: 5 }, "name", "The full name field must be text."],
    ["a text that is too long", { name: "x".repeat(256) }, "name", /at most 255 characters/],
    ["a list instead of text", { name: ["x"] }, "name", "The full name field must be text."],
    ["a consent given as text", { consents: { terms: "yes" } }, "consents.terms", /terms of service/],
  ])("reports %s", (_, input, field, expected) => {
    expect(findProblems("en", register, input)[field]).toMatch(expected);
  });

  it("trims texts, turns empty ones into null and leaves passwords unchanged", () => {
    const input = { name: " Ayşe ", domain: "", password: " pass ", value: " v ", new_password: "" };
    expect({ ...(validateForm(undefined, input, buildMessages("en")).values as object) }).toEqual({
      name: "Ayşe",
      domain: null,
      password: " pass ",
      value: " v ",
      new_password: "",
    });
  });

  it("accepts values that the server accepts", () => {
    const site = { name: "Kaya", domain: "kaya.example.com" };
    expect(validateForm(createSite.body, site, buildMessages("en")).problems).toEqual({});
    const proof = { method: "password", value: " secret " };
    expect(validateForm(confirmIdentity.body, proof, buildMessages("en")).problems).toEqual({});
  });
});
