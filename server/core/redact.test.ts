import { expect, it } from "vitest";
import { LINEAR_TIME_LIMIT_MS, measureCpuTimeMs } from "@/server/testing/cpu-time";
import { getErrorReason, redactText, serializeError } from "./redact";

it.each([
  ["wrong token dsu_0123456789abcdefXYZ here", "wrong token dsu_… here"],
  ["postgresql://tellal:p@ss:w@db.example.com:5432/x", "postgresql://…@db.example.com:5432/x"],
  ["redis://:secret@cache", "redis://…@cache"],
  ["Key (email)=(ayşe.kaya+x@example.com) exists", "Key (email)=(…@…) exists"],
  ["id eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2ln end", "id eyJ… end"],
  [
    "POST https://api.telegram.org/bot123456789:AAHx_kanarya-kanaryaKanarya/getMe",
    "POST https://api.telegram.org/bot…/getMe",
  ],
  ["bot 123456789:AAHx_kanarya-kanaryaKanarya", "bot …"],
  ["GET /me?access_token=EAAkanarya|x&fields=id", "GET /me?access_token=…&fields=id"],
  ["/reset-password?token=kanarya", "/reset-password?token=…"],
  ["at file:///app/node_modules/@prisma/x.js:1:2", "at file:///app/node_modules/@prisma/x.js:1:2"],
])("redacts %j to %j", (text, expected) => expect(redactText(text)).toBe(expected));

it("logs message, stack and cause without row values", () => {
  const cause = Object.assign(new Error("duplicate: a@example.com"), {
    code: "23505",
    detail: "Key (a)=(b)",
  });
  const serialized = serializeError(new Error("could not write dsk_abc123", { cause }));
  expect(serialized).toMatchObject({
    message: "could not write dsk_…",
    stack: expect.stringContaining("redact.test.ts"),
    cause: { code: "23505", message: "duplicate: …@…" },
  });
  expect(JSON.stringify(serialized)).not.toContain("Key (a)");
});

it("stops at circular causes and includes aggregated errors", () => {
  const circularError = new Error("round");
  circularError.cause = circularError;
  expect(JSON.stringify(serializeError(circularError))).toContain("round");
  const aggregate = new AggregateError([new Error("first"), new Error("second")]);
  expect(serializeError(aggregate)).toMatchObject({ errors: [{ message: "first" }, { message: "second" }] });
  expect(getErrorReason(aggregate)).toBe("first; second");
});

const LENGTH = 100_000;

it.each([
  "a",
  "a.",
  "a@",
  "a@a.",
  "eyJ-",
  "eyJa.a.",
  "1",
  "1:",
  "://a@",
  "a://",
  "token=",
  "ş",
  "é-",
  "dsa_",
  "a%",
])("redacts %j, repeated, in linear time", (piece) => {
  const text = piece.repeat(LENGTH / piece.length);
  expect(measureCpuTimeMs(() => redactText(text, LENGTH))).toBeLessThan(LINEAR_TIME_LIMIT_MS);
});

it("truncates a long message but keeps all stack frames", () => {
  const { message, stack } = serializeError(new Error(`550 ${"x".repeat(1_000_000)}`)) as {
    message: string;
    stack: string;
  };
  expect(message).toHaveLength(2000);
  expect(message).toMatch(/^550 x+…$/);
  expect(stack.length).toBeLessThan(8000);
  expect(stack).toContain("redact.test.ts");
});
