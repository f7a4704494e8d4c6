import { expect, it } from "vitest";
import { startTestServer } from "@/server/testing/server";

const { post } = await startTestServer();

/** Longer than 255 characters in punycode, yet within the limits of an address. */
const email = `${"a".repeat(60)}@${Array.from({ length: 6 }, () => "ö".repeat(25)).join(".")}.de`;

it.each([
  ["login", 401],
  ["forgot-password", 200],
  ["resend-verification", 200],
] as const)("%s accepts the longest valid address", async (path, expectedStatus) => {
  const { status } = await post(`/api/auth/${path}`, { email, password: "a-long-password" });
  expect(status).toBe(expectedStatus);
});
