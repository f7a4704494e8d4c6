import { expect, it } from "vitest";
import { cpuOf, LINEAR } from "@/server/testing/cpu";
import { described, reasonOf, redacted } from "./redact";

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
])("writes %j as %j", (text, shown) => expect(redacted(text)).toBe(shown));

it("shows what failed, where, and why, without the values of rows", () => {
  const cause = Object.assign(new Error("duplicate: a@example.com"), {
    code: "23505",
    detail: "Key (a)=(b)",
  });
  const shown = described(new Error("could not write dsk_abc123", { cause }));
  expect(shown).toMatchObject({
    message: "could not write dsk_…",
    stack: expect.stringContaining("redact.test.ts"),
    cause: { code: "23505", message: "duplicate: …@…" },
  });
  expect(JSON.stringify(shown)).not.toContain("Key (a)");
});

it("ends in a circle of causes, and shows the errors that one gathers", () => {
  const circle = new Error("round");
  circle.cause = circle;
  expect(JSON.stringify(described(circle))).toContain("round");
  const both = new AggregateError([new Error("first"), new Error("second")]);
  expect(described(both)).toMatchObject({ errors: [{ message: "first" }, { message: "second" }] });
  expect(reasonOf(both)).toBe("first; second");
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
  expect(cpuOf(() => redacted(text, LENGTH))).toBeLessThan(LINEAR);
});

it("logs the beginning of a long message and all frames of its stack", () => {
  const { message, stack } = described(new Error(`550 ${"x".repeat(1_000_000)}`)) as {
    message: string;
    stack: string;
  };
  expect(message).toHaveLength(2000);
  expect(message).toMatch(/^550 x+…$/);
  expect(stack.length).toBeLessThan(8000);
  expect(stack).toContain("redact.test.ts");
});
