import { expect, test } from "vitest";
import * as z from "zod";
import type { UserActor } from "@/server/core/context";
import { operation } from "@/server/core/contract";
import { countedInvalidField, createError, invalidField } from "@/server/core/errors";
import { admitCall, type CallOrigin, handleFailure, newCall } from "./admission";
import type { Caller } from "./authenticate";

const origin: CallOrigin = {
  requestId: "r",
  ip: "192.0.2.1",
  userAgent: null,
  acceptLanguage: null,
  host: null,
};

let operationCount = 0;
function newOperation(options: {
  ability?: "sites:write" | null;
  isDocumented?: boolean;
  isSignIn?: boolean;
  points?: number;
}) {
  const { isDocumented = true, points = 2, ...attributes } = options;
  return operation({
    id: `fresh${operationCount++}`,
    method: "POST",
    path: "/api/fresh",
    tag: "Test",
    summary: "Test",
    access: "token",
    limit: { points, per: 60, by: "account", isDocumented },
    ...attributes,
    output: z.object({}),
  });
}

function authenticateWith(
  abilities: string[],
  kind: "api_key" | "external_key" = "api_key",
): () => Promise<Caller> {
  const token = { id: 1, kind, abilities, createdAt: new Date() };
  return async () => ({ locale: "de", actor: { kind: "user", id: 7, token } as unknown as UserActor });
}

const getOutcome = (work: Promise<unknown>) =>
  work.then(
    () => "admitted",
    ({ code }: { code: string }) => code,
  );

test("counts an authenticated caller and uses their language", async () => {
  const call = newCall(newOperation({}), origin, "en");
  await admitCall(call, authenticateWith(["read"]));
  expect(call).toMatchObject({ actor: { id: 7 }, locale: "de", rateLimit: { remaining: 1 } });
});

test("does not count an unauthenticated caller", async () => {
  const call = newCall(newOperation({}), origin, "en");
  expect(await getOutcome(admitCall(call, () => Promise.reject(createError("unauthenticated"))))).toBe(
    "unauthenticated",
  );
  expect(call).toMatchObject({ actor: { kind: "anonymous" }, locale: "en" });
  expect(call.rateLimit).toBeUndefined();
});

test("counts a caller without the ability, and checks the limit before the ability", async () => {
  const testOperation = newOperation({ ability: "sites:write" });
  const calls = [1, 2, 3].map(() => newCall(testOperation, origin, "en"));
  const codes = [];
  for (const call of calls) codes.push(await getOutcome(admitCall(call, authenticateWith(["read"]))));
  expect(codes).toEqual(["forbidden", "forbidden", "too_many_requests"]);
  expect(calls.map(({ rateLimit }) => rateLimit?.remaining)).toEqual([1, 0, 0]);
});

test.each([
  ["needs `read` when the operation names no ability", {}, ["sites:write"], "forbidden"],
  ["needs nothing when the ability is null", { ability: null }, [], "admitted"],
  ["may do everything with `*`", { ability: "sites:write" as const }, ["*"], "admitted"],
])("a token %s", async (_, changes, abilities, expected) => {
  expect(
    await getOutcome(admitCall(newCall(newOperation(changes), origin, "en"), authenticateWith(abilities))),
  ).toBe(expected);
});

test("accepts a site key only for operations that allow it", async () => {
  const call = newCall(newOperation({}), origin, "en");
  expect(await getOutcome(admitCall(call, authenticateWith(["*"], "external_key")))).toBe("forbidden");
  const siteKeyCall = newCall({ ...newOperation({}), acceptsSiteKey: true }, origin, "en");
  expect(await getOutcome(admitCall(siteKeyCall, authenticateWith([], "external_key")))).toBe("admitted");
});

test.each([
  ["does not count invalid input against an undocumented limit", false, invalidField("name", "required"), 1],
  ["counts invalid input against a documented limit", true, invalidField("name", "required"), 2],
  ["counts a refusal that reveals stored data", false, countedInvalidField("email", "taken"), 2],
])("%s", async (_, isLimitDocumented, error, countedPoints) => {
  const testOperation = newOperation({ isDocumented: isLimitDocumented });
  const call = newCall(testOperation, origin, "en");
  await admitCall(call, authenticateWith(["read"]));
  expect(await handleFailure(call, error)).toBe(error);
  // The next call costs one point itself.
  const nextCall = newCall(testOperation, origin, "en");
  await admitCall(nextCall, authenticateWith(["read"]));
  expect(nextCall.rateLimit!.remaining).toBe(nextCall.rateLimit!.limit - countedPoints);
});

test("returns a throttled sign-in as way_in_throttled and an unknown error as server_error", async () => {
  const call = newCall(newOperation({ isSignIn: true }), origin, "en");
  const signInError = await handleFailure(call, createError("too_many_requests", { retryAfter: 9 }));
  expect(signInError).toMatchObject({ code: "way_in_throttled", extras: { retryAfter: 9 } });
  expect(await handleFailure(undefined, new Error("boom"))).toMatchObject({ code: "server_error" });
});
