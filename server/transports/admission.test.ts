import { expect, test } from "vitest";
import * as z from "zod";
import type { UserActor } from "@/server/core/context";
import { operation } from "@/server/core/contract";
import { invalid, invalidCounted, refuse } from "@/server/core/errors";
import { admitCall, handleFailure, newCall, type Origin } from "./admission";
import type { Caller } from "./authenticate";

const origin: Origin = {
  requestId: "r",
  ip: "192.0.2.1",
  userAgent: null,
  acceptLanguage: null,
  host: null,
};

let number = 0;
/** Creates an operation with an unused counter. */
function newOperation(options: {
  ability?: "sites:write" | null;
  isDocumented?: boolean;
  isSignIn?: boolean;
  points?: number;
}) {
  const { isDocumented = true, points = 2, ...rest } = options;
  return operation({
    id: `fresh${number++}`,
    method: "POST",
    path: "/api/fresh",
    tag: "Test",
    summary: "Test",
    access: "token",
    limit: { points, per: 60, by: "account", isDocumented },
    ...rest,
    output: z.object({}),
  });
}

function caller(abilities: string[], kind: "api_key" | "external_key" = "api_key"): () => Promise<Caller> {
  const token = { id: 1, kind, abilities, createdAt: new Date() };
  return async () => ({ locale: "de", actor: { kind: "user", id: 7, token } as unknown as UserActor });
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "admitted",
    ({ code }: { code: string }) => code,
  );

test("counts an authenticated caller and uses their language", async () => {
  const call = newCall(newOperation({}), origin, "en");
  await admitCall(call, caller(["read"]));
  expect(call).toMatchObject({ actor: { id: 7 }, locale: "de", rateLimit: { remaining: 1 } });
});

test("does not count an unauthenticated caller", async () => {
  const call = newCall(newOperation({}), origin, "en");
  expect(await codeOf(admitCall(call, () => Promise.reject(refuse("unauthenticated"))))).toBe(
    "unauthenticated",
  );
  expect(call).toMatchObject({ actor: { kind: "anonymous" }, locale: "en" });
  expect(call.rateLimit).toBeUndefined();
});

test("counts a caller without the ability, and checks the limit before the ability", async () => {
  const op = newOperation({ ability: "sites:write" });
  const calls = [1, 2, 3].map(() => newCall(op, origin, "en"));
  const codes = [];
  for (const call of calls) codes.push(await codeOf(admitCall(call, caller(["read"]))));
  expect(codes).toEqual(["forbidden", "forbidden", "too_many_requests"]);
  expect(calls.map(({ rateLimit }) => rateLimit?.remaining)).toEqual([1, 0, 0]);
});

test.each([
  ["needs `read` when the operation names no ability", {}, ["sites:write"], "forbidden"],
  ["needs nothing when the ability is null", { ability: null }, [], "admitted"],
  ["may do everything with `*`", { ability: "sites:write" as const }, ["*"], "admitted"],
])("a token %s", async (_, changes, abilities, expected) => {
  expect(await codeOf(admitCall(newCall(newOperation(changes), origin, "en"), caller(abilities)))).toBe(
    expected,
  );
});

test("accepts a site key only for operations that allow it", async () => {
  const call = newCall(newOperation({}), origin, "en");
  expect(await codeOf(admitCall(call, caller(["*"], "external_key")))).toBe("forbidden");
  const open = newCall({ ...newOperation({}), siteKey: true }, origin, "en");
  expect(await codeOf(admitCall(open, caller([], "external_key")))).toBe("admitted");
});

test.each([
  [
    "does not count invalid input against a limit the contract does not name",
    false,
    invalid("name", "required"),
    1,
  ],
  ["counts invalid input against a named limit", true, invalid("name", "required"), 2],
  ["counts a refusal that reveals stored data", false, invalidCounted("email", "taken"), 2],
])("%s", async (_, named, thrown, counted) => {
  const op = newOperation({ isDocumented: named });
  const call = newCall(op, origin, "en");
  await admitCall(call, caller(["read"]));
  expect(await handleFailure(call, thrown)).toBe(thrown);
  const next = newCall(op, origin, "en");
  await admitCall(next, caller(["read"]));
  expect(next.rateLimit!.remaining).toBe(next.rateLimit!.limit - counted);
});

test("returns a throttled sign-in as way_in_throttled and an unknown error as server_error", async () => {
  const call = newCall(newOperation({ isSignIn: true }), origin, "en");
  const throttled = await handleFailure(call, refuse("too_many_requests", { retryAfter: 9 }));
  expect(throttled).toMatchObject({ code: "way_in_throttled", extras: { retryAfter: 9 } });
  expect(await handleFailure(undefined, new Error("boom"))).toMatchObject({ code: "server_error" });
});
