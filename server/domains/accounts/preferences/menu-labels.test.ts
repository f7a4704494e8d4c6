import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeReseller, makeSignedInUser, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";
import { cleanMenuLabel } from "./policy";

const { get, call } = await startTestServer();
const MENU_LABELS_PATH = "/api/user/menu-labels";

const putLabels = (token: string, menu_labels: unknown) =>
  call("PUT", MENU_LABELS_PATH, { token, body: { menu_labels } });
const putRawLabels = (token: string, labels: string) =>
  call("PUT", MENU_LABELS_PATH, { token, raw: `{"menu_labels":${labels}}` });
const buildLabels = (count: number, prefix = "k") =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, `Label ${index}`]));
const readStoredLabels = async (id: number) =>
  (await prisma().user.findUniqueOrThrow({ where: { id } })).menuLabels;

describe("labels", () => {
  it("are merged: omitted keys stay, empty and null values delete", async () => {
    const { id, token } = await makeSignedInUser();
    const emptyResponse = {
      success: true,
      menu_labels: {},
      menu_labels_inherited: {},
      menu_labels_effective: {},
    };
    expect((await get(MENU_LABELS_PATH, token)).json).toEqual(emptyResponse);
    expect((await putLabels(token, {})).json).toEqual(emptyResponse);
    const labels = { dashboard: "Başlangıç", sites: "Mağazalarım", docs: "مستندات" };
    expect((await putLabels(token, labels)).json).toEqual({
      success: true,
      menu_labels: labels,
      menu_labels_inherited: {},
      menu_labels_effective: labels,
    });
    const response = await putLabels(token, {
      dashboard: "",
      sites: null,
      docs: "  ",
      settings: "Ayarlarım",
      apiKeys: null,
    });
    expect(response.json.menu_labels).toEqual({ settings: "Ayarlarım" });
    expect(await readStoredLabels(id)).toEqual({ settings: "Ayarlarım" });
    expect((await get(MENU_LABELS_PATH, token)).json).toEqual(response.json);
    const auditEntries = await prisma().auditEvent.findMany({
      where: { actorId: id },
      orderBy: { id: "asc" },
    });
    expect(auditEntries.map(({ details }) => details)).toEqual([{ changed: 3 }, { changed: 4 }]);
  });

  it("are not translated when the language changes", async () => {
    const { token } = await makeSignedInUser();
    await putLabels(token, { dashboard: "Dashboard" });
    for (const locale of ["ar", "de", null]) {
      await call("PUT", "/api/user/locale", { token, body: { locale } });
      expect((await get(MENU_LABELS_PATH, token)).json.menu_labels).toEqual({ dashboard: "Dashboard" });
    }
  });

  it("need the ability to write the profile", async () => {
    const { id } = await makeSignedInUser();
    const token = await makeToken(id, { abilities: ["read"] });
    expect((await putLabels(token, { dashboard: "x" })).status).toBe(403);
    expect((await get(MENU_LABELS_PATH, token)).status).toBe(200);
  });
});

describe("a key", () => {
  it("is rejected with the whole call when it is invalid", async () => {
    const { id, token } = await makeSignedInUser();
    const invalidKeys = [
      "",
      " ",
      "1a",
      "_a",
      "a-b",
      "a.b",
      "a b",
      "ö",
      "aé",
      `a${"b".repeat(41)}`,
      "a\n",
      "$ne",
      "<b>",
      "ａ",
      "a\u0000",
    ];
    for (const key of invalidKeys) {
      const { status, json } = await putLabels(token, { dashboard: "x", [key]: "y" });
      expect(status, JSON.stringify(key)).toBe(422);
      expect(Object.keys(json.errors), JSON.stringify(key)).toEqual(["menu_labels"]);
    }
    for (const raw of [
      '{"__proto__":"x"}',
      '{"__proto__":null}',
      '{"dashboard":"x","__proto__":{"polluted":1}}',
    ])
      expect((await putRawLabels(token, raw)).status, raw).toBe(422);
    expect(await readStoredLabels(id)).toEqual({});
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect((await putLabels(token, { [`a${"b".repeat(40)}`]: "y", A_1: "z" })).status).toBe(200);
  });

  it("may be a name of an inherited object property", async () => {
    const { id, token } = await makeSignedInUser();
    const names = [
      "constructor",
      "toString",
      "hasOwnProperty",
      "valueOf",
      "prototype",
      "isPrototypeOf",
      "toJSON",
    ];
    const labels = Object.fromEntries(names.map((name) => [name, `My ${name}`]));
    const { status, json } = await putLabels(token, labels);
    expect({
      status,
      menu_labels: json.menu_labels,
      menu_labels_effective: json.menu_labels_effective,
    }).toEqual({ status: 200, menu_labels: labels, menu_labels_effective: labels });
    expect(await readStoredLabels(id)).toEqual(labels);
    expect(
      (await putLabels(token, Object.fromEntries(names.map((name) => [name, null])))).json.menu_labels,
    ).toEqual({});
    expect((await putLabels(token, { toString: "" })).json.menu_labels).toEqual({});
    expect(({} as { toJSON?: unknown }).toJSON).toBeUndefined();
  });
});

describe("a value", () => {
  it("must be a text or null", async () => {
    const { id, token } = await makeSignedInUser();
    for (const value of [1, 0, true, false, [], ["a"], {}, { a: "b" }]) {
      const { status, json } = await putLabels(token, { dashboard: value });
      expect(status, JSON.stringify(value)).toBe(422);
      expect(Object.keys(json.errors), JSON.stringify(value)).toEqual(["menu_labels"]);
    }
    for (const body of [
      {},
      { menu_labels: null },
      { menu_labels: ["a"] },
      { menu_labels: "a" },
      { menu_labels: 1 },
    ])
      expect((await call("PUT", MENU_LABELS_PATH, { token, body })).status, JSON.stringify(body)).toBe(422);
    expect(await readStoredLabels(id)).toEqual({});
  });

  it("may be an empty list, as PHP encodes an empty map", async () => {
    const { token } = await makeSignedInUser();
    await putLabels(token, { dashboard: "Pano" });
    const { status, json } = await putLabels(token, []);
    expect({ status, menu_labels: json.menu_labels }).toEqual({
      status: 200,
      menu_labels: { dashboard: "Pano" },
    });
  });

  const CLEANING_CASES: Array<[string, string]> = [
    ["  Anasayfa  ", "Anasayfa"],
    ["<b>Kalın</b>", "Kalın"],
    ["<<b>script>alert(1)<</b>/script>", "alert(1)"],
    ["<scr<script>ipt>x", "x"],
    ["<\u0000script>x</\u0000script>", "x"],
    ["<\u202escript>x", "x"],
    ["a<img src=x onerror=alert(1)", "a"],
    ["<!-- x -->y", "y"],
    ["<!-- a > b < c -->y", "y"],
    ['<a title="a > b">x</a>', "x"],
    ['<a title = \'a > "b\' href="<i>">x</a>y', "xy"],
    ["<i don't>can't</i> \"5 > 4\"", 'can\'t "5 > 4"'],
    ['<a title="x>y', "y"],
    ['a<b title="x > y" c', "a"],
    ["<<i>b<i> c>d", "d"],
    ["I <3 you", "I <3 you"],
    ["a < b > c", "a < b > c"],
    ["\u202eabc\u2066def\u200f", "abcdef"],
    ["a\u0007b\nc\td\u0085e\u2028f", "abcdef"],
    ["\u200b\ufeff", ""],
    ["\u200d", ""],
    ["<p></p>", ""],
    ["e\u0301", "é"],
    ["لوحة القيادة", "لوحة القيادة"],
    ["می\u200cخواهم", "می\u200cخواهم"],
    ["x".repeat(41), "x".repeat(40)],
    [`${"x".repeat(39)}😀`, `${"x".repeat(39)}😀`],
    [`${"x".repeat(40)}😀`, "x".repeat(40)],
    ["😀".repeat(50), "😀".repeat(40)],
    [`${"x".repeat(39)} y`, "x".repeat(39)],
    ["\ud800a\udc00", "a"],
  ];
  it.each(CLEANING_CASES)("%j becomes %j", async (input, expected) => {
    const { id, token } = await makeSignedInUser();
    const { status, json } = await putLabels(token, { dashboard: input });
    expect(status).toBe(200);
    expect(json.menu_labels).toEqual(expected ? { dashboard: expected } : {});
    expect(await readStoredLabels(id)).toEqual(json.menu_labels);
    expect(cleanMenuLabel(expected), "cleaning a clean label changes nothing").toBe(expected);
  });

  it("deletes the key when nothing visible is left", async () => {
    const { token } = await makeSignedInUser();
    await putLabels(token, { dashboard: "x" });
    expect((await putLabels(token, { dashboard: "<i> </i>" })).json.menu_labels).toEqual({});
  });

  it("never contains a tag, even when assembled from parts of tags", () => {
    const fragments = [
      "<",
      ">",
      "b",
      "/",
      "!",
      "script",
      " ",
      "\u0000",
      "\u202e",
      '"',
      "'",
      '="',
      "<!--",
      "-->",
      "\u0338",
    ];
    for (let round = 0; round < 20_000; round++) {
      let text = "";
      for (let length = 1 + (round % 12); length > 0; length--)
        text += fragments[Math.floor(Math.random() * fragments.length)];
      const label = cleanMenuLabel(text);
      expect(label, JSON.stringify(text)).not.toMatch(/<[a-z!/?]|[\p{Cc}\p{Bidi_Control}]/iu);
      expect(cleanMenuLabel(label)).toBe(label);
    }
  });

  it.each(["<b", "<b ", "<!--", "<a=\"'", "<a='\"", '<a="<b>', "<", "< >", "<b<i>"])(
    "is cleaned in linear time when it repeats %j a million times",
    (part) => {
      const startedAt = performance.now();
      for (const text of [part.repeat(1_000_000 / part.length), part.repeat(200_000) + ">".repeat(200_000)])
        cleanMenuLabel(text);
      expect(performance.now() - startedAt).toBeLessThan(30_000);
    },
  );
});

describe("the limit of 100 labels", () => {
  it("applies to a call", async () => {
    const { id, token } = await makeSignedInUser();
    expect((await putLabels(token, buildLabels(101))).status).toBe(422);
    expect(
      (await putLabels(token, Object.fromEntries(Object.keys(buildLabels(101)).map((key) => [key, null]))))
        .status,
    ).toBe(422);
    expect(await readStoredLabels(id)).toEqual({});
    expect((await putLabels(token, buildLabels(100))).status).toBe(200);
  });

  it("applies to stored labels, and allows replacing one at the limit", async () => {
    const { id, token } = await makeSignedInUser();
    await putLabels(token, buildLabels(100));
    const { status, json } = await putLabels(token, { other: "x" });
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual(["menu_labels"]);
    expect((await putLabels(token, { other: "x", k0: null })).status).toBe(200);
    expect((await putLabels(token, { k1: "renamed" })).status).toBe(200);
    expect(Object.keys((await readStoredLabels(id)) as object)).toHaveLength(100);
  });

  it("holds in a burst", async () => {
    const { id, token } = await makeSignedInUser();
    const responses = await runConcurrently(50, (index) => putLabels(token, buildLabels(5, `b${index}_`)));
    // Each call adds five labels, so 20 calls reach the limit.
    expect(countByStatus(responses)).toEqual({ 200: 20, 422: 30 });
    expect(Object.keys((await readStoredLabels(id)) as object)).toHaveLength(100);
  });
});

it("keeps all changes of a burst", async () => {
  const { id, token } = await makeSignedInUser();
  expect(
    countByStatus(
      await runConcurrently(50, (index) => putLabels(token, { [`k${index}`]: `Label ${index}` })),
    ),
  ).toEqual({
    200: 50,
  });
  expect(await readStoredLabels(id)).toEqual(buildLabels(50));
});

describe("inheritance", () => {
  const setLabels = (id: number, menuLabels: object) =>
    prisma().user.update({ where: { id }, data: { menuLabels } });

  it("takes missing keys from the parent", async () => {
    const parent = await makeSignedInUser();
    const child = await makeSignedInUser({ parentUserId: parent.id });
    await putLabels(parent.token, { dashboard: "Merkez", sites: "Dükkânlar", constructor: "Usta" });
    await putLabels(child.token, { sites: "Benim", docs: "Yardım" });
    const { json } = await get(MENU_LABELS_PATH, child.token);
    expect(json.menu_labels).toEqual({ sites: "Benim", docs: "Yardım" });
    expect(json.menu_labels_inherited).toEqual({
      dashboard: "Merkez",
      sites: "Dükkânlar",
      constructor: "Usta",
    });
    expect(json.menu_labels_effective).toEqual({
      dashboard: "Merkez",
      sites: "Benim",
      constructor: "Usta",
      docs: "Yardım",
    });
    expect((await putLabels(child.token, { sites: null })).json.menu_labels_effective.sites).toBe(
      "Dükkânlar",
    );
    expect((await get(MENU_LABELS_PATH, parent.token)).json.menu_labels_inherited).toEqual({});
  });

  it("takes labels from the owner of an agent's site if there is no parent", async () => {
    const [owner, parent] = [await makeUser(), await makeUser()];
    const site = await makeSite(owner.id);
    await setLabels(owner.id, { dashboard: "Owner" });
    await setLabels(parent.id, { sites: "Parent" });
    const agent = await makeSignedInUser({ isAgentOnly: true, assignedSiteId: site.id });
    expect((await get(MENU_LABELS_PATH, agent.token)).json.menu_labels_inherited).toEqual({
      dashboard: "Owner",
    });
    await prisma().user.update({ where: { id: agent.id }, data: { parentUserId: parent.id } });
    expect((await get(MENU_LABELS_PATH, agent.token)).json.menu_labels_effective).toEqual({
      sites: "Parent",
    });
    await setLabels(parent.id, {});
    expect(
      (await get(MENU_LABELS_PATH, agent.token)).json.menu_labels_effective,
      "the parent takes precedence, with or without labels",
    ).toEqual({});
  });

  it("is one level deep, and never from a reseller", async () => {
    const grandparent = await makeUser({ menuLabels: { dashboard: "Grand", docs: "Grand" } });
    const parent = await makeUser({ parentUserId: grandparent.id, menuLabels: { sites: "Parent" } });
    const child = await makeSignedInUser({ parentUserId: parent.id });
    expect((await get(MENU_LABELS_PATH, child.token)).json.menu_labels_effective).toEqual({
      sites: "Parent",
    });
    const reseller = await makeUser({ role: "reseller", menuLabels: { dashboard: "Reseller" } });
    await makeReseller(reseller.id);
    const customer = await makeSignedInUser({ resellerId: reseller.id });
    expect((await get(MENU_LABELS_PATH, customer.token)).json.menu_labels_effective).toEqual({});
    const member = await makeSignedInUser({ parentUserId: reseller.id });
    expect((await get(MENU_LABELS_PATH, member.token)).json.menu_labels_inherited).toEqual({});
  });
});
