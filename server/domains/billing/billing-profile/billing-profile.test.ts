import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeSignedInUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";
import { isTaxNumber } from "./policy";

const { get, call } = await startTestServer();
const COMPANY = {
  kind: "company",
  title: "Kaya Kahve Ltd. Şti.",
  tax_number: "8790017566",
  city: "İstanbul",
};

async function makeProfileOwner() {
  const { token, ...user } = await makeSignedInUser();
  return { id: user.id, token, put: (body: object) => call("PUT", "/api/billing/profile", { token, body }) };
}

describe("isTaxNumber", () => {
  it.each(["0150015264", "8790017566", "4810058590", "10000000146"])("accepts %s", (text) => {
    expect(isTaxNumber(text)).toBe(true);
  });

  it.each([
    "0150015265",
    "8790017556",
    "10000000147",
    "10000000156",
    "01234567890",
    "123",
    "",
    "150015264 ",
    "٨٧٩٠٠١٧٥٦٦",
  ])("rejects %s", (text) => expect(isTaxNumber(text)).toBe(false));

  it("rejects a number with any single digit changed", () => {
    for (const text of ["8790017566", "10000000146"])
      for (let place = 0; place < text.length; place++) {
        const changedDigit = String((Number(text[place]) + 1) % 10);
        expect(isTaxNumber(text.slice(0, place) + changedDigit + text.slice(place + 1))).toBe(false);
      }
  });
});

it("returns null before the first save, then everything but the full tax number", async () => {
  const { token, put, id } = await makeProfileOwner();
  expect((await get("/api/billing/profile", token)).json).toEqual({
    success: true,
    profile: null,
    data: null,
  });
  const { status, json, text } = await put(COMPANY);
  expect({
    status,
    tax_number_last_four: json.profile.tax_number_last_four,
    country: json.profile.country,
  }).toEqual({ status: 200, tax_number_last_four: "7566", country: "TR" });
  expect(text).not.toContain("8790017566");
  expect((await get("/api/billing/profile", token)).json.profile).toEqual(json.profile);
  const row = await prisma().billingProfile.findUniqueOrThrow({ where: { userId: id } });
  expect(Buffer.from(row.taxSealed!).toString("latin1")).not.toContain("8790017566");
});

it("keeps an omitted tax number and deletes it for null", async () => {
  const { put } = await makeProfileOwner();
  await put(COMPANY);
  const { tax_number: _, ...withoutTaxNumber } = COMPANY;
  expect((await put({ ...withoutTaxNumber, city: null })).json.profile).toMatchObject({
    tax_number_last_four: "7566",
    city: null,
  });
  expect((await put({ ...withoutTaxNumber, tax_number: null })).json.profile.tax_number_last_four).toBeNull();
});

it.each([
  ["tax_number", "8790017567"],
  ["kind", "club"],
  ["title", ""],
  ["country", "Turkey"],
  ["email", "no"],
])("rejects %s %s with a Turkish message", async (field, value) => {
  const { put } = await makeProfileOwner();
  const { status, json } = await put({ ...COMPANY, [field]: value });
  expect(status).toBe(422);
  expect(Object.keys(json.errors)).toEqual([field]);
  expect(json.message).toMatch(/[çğıöşüÇĞİÖŞÜ]|alanı/);
});

it("is forbidden for agents", async () => {
  const { token } = await makeSignedInUser({ isAgentOnly: true });
  expect((await get("/api/billing/profile", token)).status).toBe(403);
  expect((await call("PUT", "/api/billing/profile", { token, body: COMPANY })).status).toBe(403);
});

it("is not overwritten by a caller who has not seen the latest values", async () => {
  const { put } = await makeProfileOwner();
  const { tax_number: _, ...seen } = { ...COMPANY, country: "TR" };
  await put(COMPANY);
  expect((await put({ ...seen, expected: seen, city: "Ankara" })).status).toBe(200);
  const { status, json } = await put({ ...seen, expected: seen, city: "Bursa" });
  expect({ status, city: json.current.city }).toEqual({ status: 409, city: "Ankara" });
  expect((await put({ ...seen, expected: { ...seen, city: "Ankara" }, city: "Bursa" })).status).toBe(200);
  expect((await put({ ...seen, expected: null, city: "İzmir" })).status).toBe(409);
});

it("keeps a tax number that the caller has not seen", async () => {
  const { put } = await makeProfileOwner();
  const { tax_number: _, ...rest } = COMPANY;
  await put(rest);
  const seen = { ...rest, tax_number_last_four: null };
  await put({ ...COMPANY, expected: seen });
  const { status, json } = await put({ ...COMPANY, tax_number: "4810058590", expected: seen });
  const lastFour = COMPANY.tax_number.slice(-4);
  expect({ status, lastFour: json.current.tax_number_last_four }).toEqual({ status: 409, lastFour });
  expect((await put({ ...rest, city: "Ankara", expected: seen })).status, "without a tax number").toBe(200);
});
