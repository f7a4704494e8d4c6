import { expect, test } from "vitest";
import * as z from "zod";
import type { UserActor } from "@/server/core/context";
import { operation } from "@/server/core/contract";
import { invalid, invalidCounted, refuse } from "@/server/core/errors";
import type { Caller } from "./actor";
import { admit, failureOf, newCall, type Origin } from "./admission";

const origin: Origin = {
  requestId: "r",
  ip: "192.0.2.1",
  userAgent: null,
  acceptLanguage: null,
  host: null,
};

let number = 0;
/** An operation whose counter nobody has touched. */
function fresh(given: { ability?: "sites:write" | null; named?: boolean; wayIn?: boolean; points?: number }) {
  const { named = true, points = 2, ...rest } = given;
  return operation({
    id: `fresh${number++}`,
    method: "POST",
    path: "/api/fresh",
    tag: "Test",
    summary: "Test",
    access: "token",
    limit: { points, per: 60, by: "account", named },
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

test("counts whoever is known, in their language, and lets them in", async () => {
  const call = newCall(fresh({}), origin, "en");
  await admit(call, caller(["read"]));
  expect(call).toMatchObject({ actor: { id: 7 }, locale: "de", standing: { remaining: 1 } });
});

test("does not count a caller who is not known", async () => {
  const call = newCall(fresh({}), origin, "en");
  expect(await codeOf(admit(call, () => Promise.reject(refuse("unauthenticated"))))).toBe("unauthenticated");
  expect(call).toMatchObject({ actor: { kind: "anonymous" }, locale: "en" });
  expect(call.standing).toBeUndefined();
});

test("counts a caller without the ability, and refuses beyond the limit before looking at abilities", async () => {
  const op = fresh({ ability: "sites:write" });
  const calls = [1, 2, 3].map(() => newCall(op, origin, "en"));
  const codes = [];
  for (const call of calls) codes.push(await codeOf(admit(call, caller(["read"]))));
  expect(codes).toEqual(["forbidden", "forbidden", "too_many_requests"]);
  expect(calls.map(({ standing }) => standing?.remaining)).toEqual([1, 0, 0]);
});

test.each([
  ["needs `read` when the operation names no ability", {}, ["sites:write"], "forbidden"],
  ["needs nothing when the ability is null", { ability: null }, [], "admitted"],
  ["lets `*` do everything", { ability: "sites:write" as const }, ["*"], "admitted"],
])("a token %s", async (_, given, abilities, expected) => {
  expect(await codeOf(admit(newCall(fresh(given), origin, "en"), caller(abilities)))).toBe(expected);
});

test("a site's key opens only the operations that name it", async () => {
  const call = newCall(fresh({}), origin, "en");
  expect(await codeOf(admit(call, caller(["*"], "external_key")))).toBe("forbidden");
  const open = newCall({ ...fresh({}), siteKey: true }, origin, "en");
  expect(await codeOf(admit(open, caller([], "external_key")))).toBe("admitted");
});

test.each([
  ["gives a mistyped call back to a limit nobody named", false, invalid("name", "required"), 1],
  ["keeps it where the contract names the limit", true, invalid("name", "required"), 2],
  ["keeps it where the refusal tells something", false, invalidCounted("email", "taken"), 2],
])("%s", async (_, named, thrown, counted) => {
  const op = fresh({ named });
  const call = newCall(op, origin, "en");
  await admit(call, caller(["read"]));
  expect(await failureOf(call, thrown)).toBe(thrown);
  const next = newCall(op, origin, "en");
  await admit(next, caller(["read"]));
  expect(next.standing!.remaining).toBe(next.standing!.limit - counted);
});

test("tells a refused way in as a throttled sign-in, and anything foreign as an error of the server", async () => {
  const call = newCall(fresh({ wayIn: true }), origin, "en");
  const refused = await failureOf(call, refuse("too_many_requests", { retryAfter: 9 }));
  expect(refused).toMatchObject({ code: "way_in_throttled", extras: { retryAfter: 9 } });
  expect(await failureOf(undefined, new Error("boom"))).toMatchObject({ code: "server_error" });
});
