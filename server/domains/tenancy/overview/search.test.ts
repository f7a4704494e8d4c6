import { describe, expect, it } from "vitest";
import { env } from "@/server/core/env";
import { pool, prisma } from "@/server/infrastructure/database/client";
import {
  makeMedia,
  makeReseller,
  makeSignedInUser,
  makeSite,
  makeToken,
  makeUser,
} from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";

const { get, post } = await startTestServer();

const search = async (q: string, token: string) =>
  (await get(`/api/search?q=${encodeURIComponent(q)}`, token)).json;
const listIds = (records: Array<{ id: number }>) => records.map(({ id }) => id);

const EMPTY_RESULT = {
  success: true,
  sites: [],
  customers: [],
  users: [],
  media: [],
  snippets: [],
  more: [],
};

describe("search", () => {
  it("ignores case and accents and returns only records the caller can list", async () => {
    const [owner, stranger] = [await makeSignedInUser(), await makeSignedInUser()];
    const site = await makeSite(owner.id, { name: "Işıl Çiçekçilik", domain: "isil-cicek.example.com" });
    const file = await makeMedia(owner.id, { name: "ışıl.pdf", nameFolded: "isil.pdf" });
    const { json } = await post(
      "/api/snippets",
      { title: "IŞIL karşılama", body: "Selam" },
      { token: owner.token },
    );

    const result = await search("İŞIL", owner.token);
    expect(result).toEqual({
      ...EMPTY_RESULT,
      sites: [{ id: site.id, name: "Işıl Çiçekçilik", domain: "isil-cicek.example.com", is_active: true }],
      media: [{ id: file.id, name: "ışıl.pdf", kind: file.kind }],
      snippets: [{ id: json.snippet.id, title: "IŞIL karşılama" }],
    });
    expect(await search("isil", stranger.token)).toEqual(EMPTY_RESULT);
    expect((await search("isil cicekcilik", owner.token)).sites).toHaveLength(1);
    expect((await search("isil toptan", owner.token)).sites).toEqual([]);

    await prisma().site.update({
      where: { id: site.id },
      data: { deletedAt: new Date(), isActive: false, suspendedReason: "owner" },
    });
    await prisma().mediaFile.update({ where: { id: file.id }, data: { removingAt: new Date() } });
    await prisma().snippet.update({ where: { id: json.snippet.id }, data: { removingAt: new Date() } });
    expect(await search("isil", owner.token)).toEqual(EMPTY_RESULT);
  });

  it("returns the five newest records and treats % and _ literally", async () => {
    const { id, token } = await makeSignedInUser();
    const sites = [];
    for (let index = 0; index < 7; index++)
      sites.push(await makeSite(id, { name: `Bakkal ${index}`, domain: `bakkal-${index}.example.com` }));
    const result = await search("bakkal", token);
    expect(listIds(result.sites)).toEqual(listIds(sites).reverse().slice(0, 5));
    expect(result.more).toEqual(["sites"]);
    await prisma().site.deleteMany({ where: { id: { in: [sites[0]!.id, sites[1]!.id] } } });
    expect(await search("bakkal", token)).toMatchObject({ sites: { length: 5 }, more: [] });
    expect((await search("b%l", token)).sites).toEqual([]);
    expect((await search("__", token)).sites).toEqual([]);
  });

  it("matches two-letter words at the beginning of words only", async () => {
    const { id, token } = await makeSignedInUser();
    await makeSite(id, { name: "Yeni Zürafa", domain: "hayvan.example.com" });
    const findSiteNames = async (q: string) =>
      (await search(q, token)).sites.map(({ name }: { name: string }) => name);
    expect(await findSiteNames("zü")).toEqual(["Yeni Zürafa"]);
    expect(await findSiteNames("ye")).toEqual(["Yeni Zürafa"]);
    expect(await findSiteNames("fa")).toEqual([]);
    expect(await findSiteNames("raf")).toEqual(["Yeni Zürafa"]);
  });

  it("returns customers only to resellers who signed, with a key that may read them", async () => {
    const reseller = await makeUser({ role: "reseller" });
    await makeReseller(reseller.id);
    const token = await makeToken(reseller.id);
    const customer = await makeUser({ name: "Pelin Ozansoy", resellerId: reseller.id });
    await makeUser({ name: "Pelin Ozansoy" });
    const result = await search("pelin ozansoy", token);
    expect(listIds(result.customers)).toEqual([customer.id]);
    expect(result.users).toEqual([]);
    const readOnlyToken = await makeToken(reseller.id, { abilities: ["read"] });
    expect(await search("pelin", readOnlyToken)).toEqual(EMPTY_RESULT);

    await prisma().reseller.update({
      where: { userId: reseller.id },
      data: { agreementSignedAt: null },
    });
    expect((await search("pelin", token)).customers).toEqual([]);
  });

  it("returns accounts to administrators only, without anonymised ones", async () => {
    const admin = await makeSignedInUser({ role: "admin" });
    const user = await makeUser({ name: "Vildan Karaçam" });
    await makeUser({ name: "Vildan Karaçam", anonymisedAt: new Date() });
    expect(listIds((await search("vildan KARACAM", admin.token)).users)).toEqual([user.id]);
    const findUserIds = async (q: string) => listIds((await search(q, admin.token)).users);
    expect(await findUserIds("vildan ka")).toEqual([user.id]);
    expect(await findUserIds("vildan am")).toEqual([]);
    expect(await findUserIds("vildan kara%")).toEqual([]);
    expect(await findUserIds("karacam vildan toptan")).toEqual([]);
    const readOnlyToken = await makeToken(admin.id, { abilities: ["read"] });
    expect((await search("vildan", readOnlyToken)).users).toEqual([]);
  });

  it("reads few rows among many similar names, whether or not any row has both words", async () => {
    const { id, token } = await makeSignedInUser({ role: "admin" });
    await prisma().$executeRaw`
      insert into sites (user_id, name, domain, api_key_hash, api_key_sealed, api_key_last_four, search_text)
      select ${id}::int, name, domain, sha256(domain::bytea), '', '', lower(name) || ' ' || domain
        from (select case when n % 2 = 0 then 'Kuru Kahve' else 'Taze Ekmek' end as name, 'alike' || n || '.test' as domain
                from generate_series(1, 20000) n) as made`;
    await prisma().$executeRaw`vacuum analyze sites`;
    for (const [q, count] of [
      ["kahve ekmek", 0],
      ["kahve kuru", 5],
    ] as const) {
      const countBefore = await countReadSiteRows();
      expect((await search(q, token)).sites).toHaveLength(count);
      const readRowCount = (await countReadSiteRows()) - countBefore;
      expect(readRowCount, q).toBeGreaterThan(0);
      expect(readRowCount, q).toBeLessThan(3000);
    }
  });

  it("rejects queries of one letter or more than 100", async () => {
    const { token } = await makeSignedInUser();
    for (const q of ["", "a", " a ", "a".repeat(101)])
      expect((await get(`/api/search?q=${encodeURIComponent(q)}`, token)).status, q).toBe(422);
  });
});

/** Rows of `sites` read so far. Each connection must flush its statistics first. */
async function countReadSiteRows(): Promise<number> {
  const flush = () => pool().query("select pg_stat_force_next_flush(), pg_sleep(0.2)");
  await Promise.all(Array.from({ length: env().DATABASE_POOL_SIZE }, flush));
  const { rows } = await pool().query<{ read: number }>(
    "select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_user_tables where relname = 'sites'",
  );
  return rows[0]!.read;
}
