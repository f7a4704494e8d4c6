import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { isCommonPassword } from "@/server/core/common-passwords";
import { makeToken, makeUser } from "@/server/testing/factories";
import { buildRegistrationBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";

const requestedPaths: string[] = [];
let serverBehaviour: "answers" | "fails" | "hangs" | "floods" | "redirects" = "answers";
const sha1 = (text: string) => createHash("sha1").update(text).digest("hex").toUpperCase();
const BREACHED_PASSWORD = "kahve-ve-simit-2019";
const PADDED_PASSWORD = "only-in-the-padding";
const breachServer = createServer((req, res) => {
  requestedPaths.push(req.url!);
  if (serverBehaviour === "hangs") return;
  if (serverBehaviour === "fails") return void res.writeHead(500).end();
  if (serverBehaviour === "redirects")
    return void res.writeHead(302, { location: "http://127.0.0.1:9/" }).end();
  if (serverBehaviour === "floods") return void res.end("A".repeat(2 * 1024 * 1024));
  const lines = [
    `${"0".repeat(35)}:3`,
    `${sha1(BREACHED_PASSWORD).slice(5)}:42`,
    `${sha1(PADDED_PASSWORD).slice(5)}:0`,
  ];
  res.end(lines.join("\r\n"));
});
await new Promise<void>((resolve) => breachServer.listen(0, "127.0.0.1", resolve));
afterAll(() => breachServer.close());

const BREACHED_PASSWORDS_URL = `http://127.0.0.1:${(breachServer.address() as AddressInfo).port}/range`;
const { post, call } = await startTestServer({ env: { BREACHED_PASSWORDS_URL } });

const signUp = (password: string) =>
  post("/api/auth/register", buildRegistrationBody({ password, password_confirmation: password }));

describe("common passwords", () => {
  const words = ["password", "qwertyuiop", "iloveyou", "galatasaray", "fenerbahce", "superman", "princess"];
  const years = Array.from({ length: 1500 }, (_, index) => String(600 + index).padStart(4, "0"));

  it("include usual variations of common words", () => {
    const variations = words.flatMap((word) => years.map((year) => word + year));
    expect(new Set(variations).size).toBeGreaterThan(10_000);
    expect(variations.filter((password) => !isCommonPassword(password))).toEqual([]);
    const commonPasswords = [
      "12345678",
      "0987654321",
      "11111111",
      "abcabcabc",
      "P@ssw0rd",
      "pa$$w0rd1",
      "Şifre1234",
      "ŞİFRE123",
      "İSTANBUL34",
      "1q2w3e4r",
      "1qaz2wsx",
      "qazwsxedc1",
      "19051981",
      "1981-05-19",
      "passwordpassword",
      "letmein123",
      "trustno1",
      "Sunshine2024",
      "asdfghjkl",
      "mustafa61",
    ];
    expect(commonPasswords.filter((password) => !isCommonPassword(password))).toEqual([]);
  });

  it("do not include passphrases and random passwords", () => {
    const madeUpPasswords = [
      "correct-horse",
      "demo-password",
      "a-long-password",
      "yağmur-altında-çay",
      "battery-staple-9",
      "9f8s7d6f5",
      "  pass  word  ",
      "şifrem budur işte",
    ];
    expect(madeUpPasswords.filter(isCommonPassword)).toEqual([]);
  });

  it("are looked up quickly for long texts", () => {
    const startedAt = performance.now();
    for (const text of ["1".repeat(1024), "a".repeat(1023), "ab1!".repeat(256), "@".repeat(1024)])
      for (let round = 0; round < 50; round++) isCommonPassword(`${text}x`);
    // Four texts, 50 rounds each.
    expect((performance.now() - startedAt) / 200).toBeLessThan(50);
  });

  it("are refused at registration, like the account's own address", async () => {
    for (const password of ["password123", "Fenerbahce1907"])
      expect((await signUp(password)).json.errors).toHaveProperty("password");
    const body = buildRegistrationBody();
    const ownAddressBody = { ...body, password: body.email, password_confirmation: body.email };
    expect((await post("/api/auth/register", ownAddressBody)).json.errors).toHaveProperty("password");
    expect((await signUp(`${"x".repeat(900)}é`)).status, "long passwords are accepted").toBe(201);
  });
});

describe("breached passwords", () => {
  it("are queried by five characters of their hash and refused", async () => {
    const refusedResponse = await signUp(BREACHED_PASSWORD);
    expect(refusedResponse.status).toBe(422);
    expect(Object.keys(refusedResponse.json.errors)).toEqual(["password"]);
    expect(requestedPaths.at(-1)).toBe(`/range/${sha1(BREACHED_PASSWORD).slice(0, 5)}`);
    const token = await makeToken((await makeUser()).id);
    const changeBody = { current_password: "correct-horse", new_password: BREACHED_PASSWORD };
    const { json } = await call("PUT", "/api/auth/profile", { token, body: changeBody });
    expect(Object.keys(json.errors)).toEqual(["new_password"]);
  });

  it("do not include padding lines", async () => {
    expect((await signUp(PADDED_PASSWORD)).status).toBe(201);
  });

  it.each(["fails", "floods", "redirects", "hangs"] as const)(
    "are accepted while the service %s",
    async (failure) => {
      serverBehaviour = failure;
      const startedAt = performance.now();
      expect((await signUp(BREACHED_PASSWORD)).status).toBe(201);
      expect(performance.now() - startedAt).toBeLessThan(30_000);
      serverBehaviour = "answers";
    },
  );
});
