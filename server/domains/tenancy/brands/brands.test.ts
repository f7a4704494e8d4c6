import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { buildBrandPalette } from "@/server/core/brand-colour";
import { prisma } from "@/server/infrastructure/database/client";
import { storage } from "@/server/infrastructure/storage/storage";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeReseller, makeSignedInUser, makeToken, makeUser } from "@/server/testing/factories";
import { buildMultipartForm } from "@/server/testing/multipart";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { startTestServer } from "@/server/testing/server";
import { sweepBrandFilesJob } from "./jobs";

const { call, get, runJobs, port } = await startTestServer();

const BRAND_PATH = "/api/reseller/brand";
const putBrand = (token: string, body: object) => call("PUT", BRAND_PATH, { token, body });
const uploadPicture = (token: string, picture: string, bytes: Uint8Array) =>
  call("POST", `${BRAND_PATH}/${picture}`, { token, ...buildMultipartForm([{ bytes }]) });
const fetchMedia = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
const makePng = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: "#f59e0b" } })
    .png()
    .toBuffer();

async function makeResellerWithToken({ signed = true } = {}) {
  const user = await makeUser({ role: "reseller" });
  await makeReseller(user.id, { signed });
  return { user, token: await makeToken(user.id, { provenAt: new Date() }) };
}

async function readAppearance(userId: number) {
  const { json } = await get("/api/auth/user", await makeToken(userId));
  const { app_name, app_logo_url, app_primary_color } = json.user;
  return [app_name, app_logo_url, app_primary_color];
}
const NO_BRAND = [null, null, null];

describe("a brand", () => {
  it("is created and changed, with readable colours", async () => {
    const { token } = await makeResellerWithToken();
    expect((await get(BRAND_PATH, token)).json).toEqual({ success: true, brand: null });
    const createResponse = await putBrand(token, {
      product_name: "Kaya Panel",
      color: "#ffe100",
      expected: null,
    });
    expect(createResponse.json.brand).toMatchObject({
      product_name: "Kaya Panel",
      color: "#FFE100",
      palette: buildBrandPalette("#FFE100"),
      logo_url: null,
    });
    for (const theme of ["light", "dark"] as const) {
      const { border, foreground, text } = createResponse.json.brand.palette[theme].contrast;
      expect([border >= 3, foreground >= 4.5, text >= 4.5]).toEqual([true, true, true]);
    }
    const renameResponse = await putBrand(token, { product_name: "Kaya" });
    expect(renameResponse.json.brand).toMatchObject({ product_name: "Kaya", color: "#FFE100" });
    const resetResponse = await putBrand(token, { product_name: "Kaya", color: null });
    expect(resetResponse.json.brand).toMatchObject({ color: null, palette: null });
  });

  it.each(['"Garanti" <a@garanti.com.tr>', "Kaya: Panel", "kaya@example", "=?utf-8?q?Kaya?="])(
    "rejects the name %s, which a mail header could parse as an address",
    async (product_name) => {
      const { token } = await makeResellerWithToken();
      const { status, json } = await putBrand(token, { product_name });
      expect([status, Object.keys(json.errors)]).toEqual([422, ["product_name"]]);
    },
  );

  it("has support contacts until they are cleared", async () => {
    const { token } = await makeResellerWithToken();
    const supportContacts = { support_email: "destek@kaya.example.com", support_phone: "+90 312 555 00 34" };
    const createResponse = await putBrand(token, { product_name: "Kaya", ...supportContacts });
    expect(createResponse.json.brand).toMatchObject(supportContacts);
    const renameResponse = await putBrand(token, { product_name: "Kaya Panel" });
    expect(renameResponse.json.brand).toMatchObject(supportContacts);
    const staleResponse = await putBrand(token, {
      product_name: "Kaya Panel",
      support_email: "yeni@kaya.example.com",
      expected: { product_name: "Kaya Panel", color: null, support_email: null },
    });
    expect([staleResponse.status, staleResponse.json.current]).toMatchObject([409, supportContacts]);
    const clearResponse = await putBrand(token, {
      product_name: "Kaya Panel",
      support_email: null,
      support_phone: "",
    });
    expect(clearResponse.json.brand).toMatchObject({ support_email: null, support_phone: null });
  });

  it.each(["destek", "a@b", "<b>@example.com", `${"x".repeat(250)}@example.com`])(
    "rejects the support address %s",
    async (support_email) => {
      const { token } = await makeResellerWithToken();
      const { status, json } = await putBrand(token, {
        product_name: "X",
        support_email,
        support_phone: "javascript:1",
      });
      expect(status).toBe(422);
      expect(Object.keys(json.errors)).toEqual(["support_email", "support_phone"]);
    },
  );

  it.each(["red", "#fff", "#12345g", "url(x)", "#1234567", "};body{}"])(
    "rejects the colour %s",
    async (color) => {
      const { token } = await makeResellerWithToken();
      const { status, json } = await putBrand(token, { product_name: "X", color });
      expect(status).toBe(422);
      expect(Object.keys(json.errors)).toEqual(["color"]);
    },
  );

  it("requires a reseller who has signed", async () => {
    const { token } = await makeResellerWithToken({ signed: false });
    const customerToken = await makeToken((await makeUser()).id);
    const bytes = await makePng(8, 8);
    for (const request of [
      (callerToken: string) => get(BRAND_PATH, callerToken),
      (callerToken: string) => putBrand(callerToken, { product_name: "X" }),
      (callerToken: string) => uploadPicture(callerToken, "logo", bytes),
      (callerToken: string) => call("DELETE", `${BRAND_PATH}/logo`, { token: callerToken }),
    ]) {
      expect((await request(token)).json).toEqual({ success: false, error: expect.any(String) });
      expect((await request(customerToken)).json).toEqual({ message: "This action is unauthorized." });
    }
    expect(await prisma().brand.count({ where: { productName: "X" } })).toBe(0);
  });
});

describe("a brand's picture", () => {
  it("is scaled, public, and deleted when replaced", async () => {
    const { token, user } = await makeResellerWithToken();
    const firstUpload = await uploadPicture(token, "logo", await makePng(3000, 300));
    expect(firstUpload.json.brand).toMatchObject({ product_name: user.name });
    const url = new URL(firstUpload.json.brand.logo_url);
    const mediaResponse = await fetchMedia(url.pathname);
    expect(mediaResponse.status).toBe(200);
    expect(mediaResponse.headers.get("content-type")).toBe("image/png");
    const key = (await prisma().brand.findUniqueOrThrow({ where: { userId: user.id } })).logoPath!;
    const picture = await buffer((await storage().read(key))!.open());
    expect(await sharp(picture).metadata()).toMatchObject({
      format: "png",
      width: 1024,
      height: 102,
    });

    const secondUpload = await uploadPicture(token, "logo", await makePng(20, 20));
    await runJobs();
    expect((await fetchMedia(url.pathname)).status).toBe(404);
    expect((await call("DELETE", `${BRAND_PATH}/logo`, { token })).json.brand.logo_url).toBeNull();
    await runJobs();
    expect((await fetchMedia(new URL(secondUpload.json.brand.logo_url).pathname)).status).toBe(404);
    const iconResponse = await uploadPicture(token, "icon", await makePng(300, 100));
    expect(iconResponse.json.brand.icon_url).toMatch(/\.png$/);
  });

  it.each([
    ["a drawing with scripts", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ["a page", Buffer.from("<!doctype html><script>alert(1)</script>")],
    ["nothing", Buffer.alloc(0)],
    ["half a picture", Buffer.from("\x89PNG\r\n\x1a\n", "latin1")],
  ])("rejects %s", async (_, bytes) => {
    const { token } = await makeResellerWithToken();
    expect((await uploadPicture(token, "logo", bytes)).status).toBe(422);
  });

  it("is rejected above 2 MB and for an unknown kind, and cannot be removed without a brand", async () => {
    const { token } = await makeResellerWithToken();
    expect((await uploadPicture(token, "logo", Buffer.alloc(2 * 1024 * 1024 + 1))).status).toBe(413);
    expect((await uploadPicture(token, "banner", await makePng(8, 8))).status).toBe(404);
    expect((await call("DELETE", `${BRAND_PATH}/logo`, { token })).status).toBe(404);
  });

  it("leaves one file and one row after 20 concurrent uploads", async () => {
    const { token, user } = await makeResellerWithToken();
    const bytes = await makePng(30, 30);
    expect(countByStatus(await runConcurrently(20, () => uploadPicture(token, "logo", bytes)))).toEqual({
      200: 20,
    });
    await runJobs();
    const rows = await prisma().brand.findMany({
      select: { logoPath: true, iconPath: true, logoDarkPath: true },
    });
    const usedKeys = new Set(rows.flatMap((row) => Object.values(row)).filter(Boolean));
    expect(new Set((await storage().list("media/brands")).map(({ key }) => key))).toEqual(usedKeys);
    expect(await prisma().brand.count({ where: { userId: user.id } })).toBe(1);
    await sweepBrandFilesJob();
    expect((await storage().list("media/brands")).length).toBe(usedKeys.size);
  });
});

describe("the appearance in the profile", () => {
  it("is the account's own, else the parent's, else the reseller's", async () => {
    const { user, token } = await makeResellerWithToken();
    const customer = await makeUser({ resellerId: user.id });
    const subUser = await makeUser({ parentUserId: customer.id });
    const teamMember = await makeUser({ parentUserId: user.id });
    const stranger = await makeUser();
    const admin = await makeUser({ role: "admin" });
    const accounts = [user, customer, subUser, teamMember, stranger, admin];
    for (const { id } of accounts) expect(await readAppearance(id)).toEqual(NO_BRAND);
    await putBrand(token, { product_name: "Kaya Panel", color: "#F59E0B" });
    const { json } = await uploadPicture(token, "logo", await makePng(40, 20));
    const expectedAppearance = ["Kaya Panel", json.brand.logo_url, "#F59E0B"];
    for (const { id } of [user, customer, subUser, teamMember])
      expect(await readAppearance(id)).toEqual(expectedAppearance);
    for (const { id } of [stranger, admin]) expect(await readAppearance(id)).toEqual(NO_BRAND);
    await prisma().user.update({ where: { id: customer.id }, data: { appName: "Öz" } });
    expect([(await readAppearance(customer.id))[0], (await readAppearance(subUser.id))[0]]).toEqual([
      "Öz",
      "Öz",
    ]);
    await prisma().user.update({ where: { id: subUser.id }, data: { appName: "Kendi" } });
    expect(await readAppearance(subUser.id)).toEqual(["Kendi", json.brand.logo_url, "#F59E0B"]);
  });

  it("never mixes two resellers over 20 concurrent moves and changes", async () => {
    const [firstReseller, secondReseller] = [await makeResellerWithToken(), await makeResellerWithToken()];
    const customer = await makeUser({ resellerId: firstReseller.user.id });
    const { token, ...subUser } = await makeSignedInUser({ parentUserId: customer.id });
    const namePatterns = { [firstReseller.user.id]: /^Bir \d+$/, [secondReseller.user.id]: /^İki \d+$/ };
    for (let round = 0; round < 20; round++) {
      await resetRateLimits();
      const newReseller = round % 2 === 0 ? secondReseller : firstReseller;
      const [, , , profile] = await Promise.all([
        prisma().user.update({ where: { id: customer.id }, data: { resellerId: newReseller.user.id } }),
        putBrand(firstReseller.token, { product_name: `Bir ${round}`, color: "#112233" }),
        putBrand(secondReseller.token, { product_name: `İki ${round}`, color: "#445566" }),
        get("/api/auth/user", token),
      ]);
      const { app_name: name, app_primary_color: color } = profile.json.user;
      const isConsistent =
        (name === null && color === null) ||
        (/^Bir/.test(name) && color === "#112233") ||
        (/^İki/.test(name) && color === "#445566");
      expect({ round, isConsistent }).toEqual({ round, isConsistent: true });
      const [nameAfterMove] = await readAppearance(subUser.id);
      expect(nameAfterMove, `round ${round}`).toMatch(namePatterns[newReseller.user.id]!);
    }
  });
});
