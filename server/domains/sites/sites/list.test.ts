import { describe, expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { exchangeForSession } from "@/server/domains/access/tokens/service/tokens";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import {
  makeLicence,
  makeReseller,
  makeSignedInUser,
  makeSite,
  makeSubscription,
  makeToken,
} from "@/server/testing/factories";
import { startTestServer } from "@/server/testing/server";
import { fillSiteSearchTextsJob } from "./jobs";

const { call, get, post } = await startTestServer();

async function makeOwnerWithSites(...names: string[]) {
  const owner = await makeSignedInUser();
  const sites: { id: number }[] = [];
  for (const [index, name] of names.entries())
    sites.push(await makeSite(owner.id, { name, domain: `n${index}-of-${owner.id}.example.com` }));
  return { ...owner, sites };
}

type ListedSite = { id: number; name: string };
const listSites = async (token: string, query: string) => {
  const { status, json, text } = await get(`/api/sites?${query}`, token);
  expect(status, text).toBe(200);
  return json as { data: ListedSite[]; meta?: { page: number; per_page: number; total: number } };
};
const listNames = async (token: string, query: string) =>
  (await listSites(token, query)).data.map(({ name }) => name);

it("returns what pays for each site: a slot, a licence, or nothing", async () => {
  const { id, token } = await makeSignedInUser({ role: "reseller" });
  const makeSiteWith = async (licence?: Parameters<typeof makeLicence>[1]) => {
    const site = await makeSite(id);
    if (licence) await makeLicence(id, { siteId: site.id, ...licence });
    return site.id;
  };
  const { id: subscriptionId } = await makeSubscription(id, { slots: 1 });
  const past = { periodStart: fromNow(-400 * DAY), periodEnd: fromNow(-DAY), payBy: fromNow(-380 * DAY) };
  const billingBySite = new Map([
    [(await makeSite(id, { subscriptionId })).id, "slot"],
    [await makeSiteWith({ status: "active", payBy: fromNow(-DAY) }), "licence"],
    [await makeSiteWith({ status: "pending" }), "licence"],
    [await makeSiteWith({ status: "pending", payBy: fromNow(-DAY) }), "none"],
    [await makeSiteWith({ status: "active", ...past }), "none"],
    [await makeSiteWith({ status: "cancelled" }), "none"],
    [await makeSiteWith(), "none"],
  ]);
  const { data } = (await get("/api/sites", token)).json as { data: { id: number; billing: string }[] };
  expect(new Map(data.map((site) => [site.id, site.billing]))).toEqual(billingBySite);
});

describe("listing sites by page", () => {
  it("returns a page for any page parameter, and the documented list without one", async () => {
    const { token } = await makeOwnerWithSites("A", "B", "C");
    const fullList = await listSites(token, "");
    expect(Object.keys(fullList)).toEqual(["data"]);
    expect(fullList.data.map(({ name }) => name)).toEqual(["A", "B", "C"]);
    const page = await listSites(token, "per_page=2");
    expect(page.meta).toEqual({ page: 1, per_page: 2, total: 3 });
    expect(page.data.map(({ name }) => name)).toEqual(["C", "B"]);
    const withOwnerName = (site: object | undefined) => ({ ...site, owner_name: "Ayşe Kaya" });
    expect(page.data[1]).toEqual(withOwnerName(fullList.data[1]));
    expect((await listSites(token, "per_page=2&page=2")).data).toEqual([withOwnerName(fullList.data[0])]);
    expect(await listSites(token, "page=9")).toEqual({ data: [], meta: { page: 9, per_page: 50, total: 3 } });
  });

  it("continues with `after` and `limit` across the sites of several owners", async () => {
    const reseller = await makeSignedInUser({ role: "reseller" });
    const customer = await makeSignedInUser({ resellerId: reseller.id });
    const sites = [];
    for (const userId of [customer.id, reseller.id, customer.id]) sites.push(await makeSite(userId));
    const ids = sites.map(({ id }) => id);
    const listIds = async (query: string) =>
      (await listSites(reseller.token, query)).data.map(({ id }) => id);
    expect(await listIds("limit=2")).toEqual(ids.slice(0, 2));
    expect(await listIds(`after=${ids[1]}&limit=2`)).toEqual(ids.slice(2));
  });

  it("sorts names in Turkish order, numbers by value, equal names by age", async () => {
    const names = ["Zeytin 10", "Çalı", "ışık", "Zeytin 9", "Cem", "İğde", "ic", "Cem"];
    const { token, sites } = await makeOwnerWithSites(...names);
    const sortedNames = ["Cem", "Cem", "Çalı", "ışık", "ic", "İğde", "Zeytin 9", "Zeytin 10"];
    const { data } = await listSites(token, "sort=name");
    expect(data.map(({ name }) => name)).toEqual(sortedNames);
    expect(data.slice(0, 2).map(({ id }) => id)).toEqual([sites[4]!.id, sites[7]!.id]);
    expect(await listNames(token, "sort=-name")).toEqual(sortedNames.toReversed());
    expect(await listNames(token, "sort=created_at")).toEqual(names);
    expect(await listNames(token, "sort=-domain")).toEqual(names.toReversed());
  });

  it.each(["İŞIL", "ışıl", "ISIL", "isil", "şıl kuyum", "  kuyum   IŞIL ", "kuyumcu"])(
    "finds Işıl Kuyumcu by %j",
    async (q) => {
      const { token } = await makeOwnerWithSites("Işıl Kuyumcu", "Isırgan", "Kuyu");
      expect(await listNames(token, `q=${encodeURIComponent(q)}`)).toEqual(["Işıl Kuyumcu"]);
    },
  );

  it("finds by domain, in punycode and Unicode, and by ID", async () => {
    const owner = await makeSignedInUser({ role: "reseller" });
    await makeReseller(owner.id);
    const body = { name: "Kahve", domain: `çınar-${owner.id}.com`, confirm_pay_per_site: true };
    const { site } = (await post("/api/sites", body, { token: owner.token })).json;
    await makeSite(owner.id, { name: "Başka" });
    for (const q of [`çınar-${owner.id}`, `CINAR-${owner.id}.com`, site.domain, String(site.id)])
      expect(
        (await listSites(owner.token, `q=${encodeURIComponent(q)}`)).data.map(({ id }) => id),
        q,
      ).toEqual([site.id]);
  });

  it("matches the characters of LIKE patterns literally", async () => {
    const { token } = await makeOwnerWithSites("100% _süt_", "1000 sut", "a\\b");
    expect(await listNames(token, "q=%25")).toEqual(["100% _süt_"]);
    expect(await listNames(token, "q=_sut_")).toEqual(["100% _süt_"]);
    expect(await listNames(token, "q=%5C")).toEqual(["a\\b"]);
  });

  it("filters by state and owner, and counts the filtered sites", async () => {
    const reseller = await makeSignedInUser({ role: "reseller" });
    const customer = await makeSignedInUser({ resellerId: reseller.id });
    await makeSite(reseller.id, { name: "Own" });
    await makeSite(customer.id, { name: "Theirs" });
    await makeSite(customer.id, { name: "Closed", isActive: false });
    expect(await listNames(reseller.token, "is_active=false")).toEqual(["Closed"]);
    expect(await listNames(reseller.token, "is_active=1&sort=name")).toEqual(["Own", "Theirs"]);
    const { meta } = await listSites(reseller.token, `user_id=${customer.id}&per_page=1`);
    expect(meta).toEqual({ page: 1, per_page: 1, total: 2 });
  });

  it("never returns sites outside the caller's scope", async () => {
    const stranger = await makeSignedInUser();
    const site = await makeSite(stranger.id, { name: "Foreign canary" });
    const owner = await makeOwnerWithSites("Own");
    const agent = await makeSignedInUser({
      isAgentOnly: true,
      parentUserId: stranger.id,
      assignedSiteId: site.id,
    });
    for (const query of [
      "q=canary",
      `user_id=${stranger.id}`,
      `q=${site.id}`,
      "is_active=true&sort=name&per_page=500",
    ])
      expect(await listNames(owner.token, query)).not.toContain("Foreign canary");
    await prisma().site.update({ where: { id: site.id }, data: { systemPrompt: "canary-prompt" } });
    const [agentSite] = (await listSites(agent.token, "q=canary")).data;
    expect(agentSite).toMatchObject({ id: site.id, system_prompt: null });
  });

  it.each([
    "page=0",
    "page=x",
    "per_page=501",
    "sort=price",
    "is_active=maybe",
    "user_id=0",
    "q=%00",
    `q=${"x".repeat(201)}`,
  ])("rejects the query %s", async (query) => {
    const { token } = await makeSignedInUser();
    expect((await get(`/api/sites?${query}`, token)).status).toBe(422);
  });

  it("rejects `after` and `limit` together with page parameters", async () => {
    const { token } = await makeSignedInUser();
    const { status, json } = await get("/api/sites?after=5&limit=2&page=1", token);
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual(["after", "limit"]);
  });

  it("finds a site without search text once the job has filled it in", async () => {
    const { token, sites } = await makeOwnerWithSites("Eski Işık");
    await prisma().site.update({ where: { id: sites[0]!.id }, data: { searchText: null } });
    expect(await listNames(token, "q=isik")).toEqual([]);
    await fillSiteSearchTextsJob();
    expect(await listNames(token, "q=isik")).toEqual(["Eski Işık"]);
  });
});

describe("sites.csv", () => {
  const downloadCsv = (token: string, query = "", headers: Record<string, string> = {}) =>
    call("GET", `/api/sites.csv?${query}`, { token, headers });
  const splitLines = ({ text }: { text: string }) => text.replace("\uFEFF", "").trimEnd().split("\r\n");

  it("contains all matching sites in order and escapes formulas", async () => {
    const { token, id, sites } = await makeOwnerWithSites("=1+1", 'Kahve "A", B', "Kapalı");
    await prisma().user.update({ where: { id }, data: { locale: "en" } });
    await prisma().site.update({
      where: { id: sites[2]!.id },
      data: { isActive: false, suspendedReason: "owner" },
    });
    const response = await downloadCsv(token, "sort=name");
    expect(response.headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="sites.csv"',
    });
    expect(response.text.startsWith("\uFEFF")).toBe(true);
    const lines = splitLines(response);
    expect(lines[0]).toBe(
      '"id","name","domain","is_active","user_id","subscription_id","ai_enabled","created_at"',
    );
    expect(lines[1]).toMatch(
      new RegExp(`^"${sites[0]!.id}","'=1\\+1","n0-of-${id}\\.example\\.com","true","${id}","",`),
    );
    expect(lines[2]).toContain('"Kahve ""A"", B"');
    expect(splitLines(await downloadCsv(token, "is_active=false"))).toHaveLength(2);
  });

  it("reads in batches without losing or repeating a row", async () => {
    const { token } = await makeOwnerWithSites();
    const ownerId = (await get("/api/auth/user", token)).json.user.id as number;
    // More than two batches of `readInBatches` (1,000 rows each).
    await prisma().$executeRaw`
      insert into sites (user_id, name, domain, api_key_hash, api_key_sealed, api_key_last_four, search_text)
      select ${ownerId}, 'Same', 'bulk' || i || '.example.com', sha256(('bulk' || i)::bytea), 'x', 'abcd', 'same'
        from generate_series(1, 2500) i`;
    for (const sort of ["name", "-name", "domain", "created_at"]) {
      const ids = splitLines(await downloadCsv(token, `sort=${sort}`))
        .slice(1)
        .map((line) => line.split(",")[0]);
      expect(ids.length, sort).toBe(2500);
      expect(new Set(ids).size, sort).toBe(2500);
    }
  });

  it("separates by semicolons for a locale with decimal commas", async () => {
    const owner = await makeSignedInUser({ locale: "tr" });
    await makeSite(owner.id);
    expect(splitLines(await downloadCsv(owner.token))[0]).toContain('"id";"name"');
  });

  it("accepts the session cookie in same-origin requests only", async () => {
    const { id } = await makeOwnerWithSites("Mine");
    const { secret } = (await exchangeForSession(withoutTransaction(), await makeToken(id)))!;
    const cookie = `session=${secret}`;
    const response = await call("GET", "/api/sites.csv", {
      headers: { cookie, "sec-fetch-site": "same-origin" },
    });
    expect(response.status).toBe(200);
    expect(splitLines(response).length).toBe(2);
    for (const fetchSite of ["cross-site", "same-site"])
      expect(
        (await call("GET", "/api/sites.csv", { headers: { cookie, "sec-fetch-site": fetchSite } })).status,
      ).toBe(401);
  });

  it("rejects anonymous callers and invalid parameters", async () => {
    const { token } = await makeSignedInUser();
    expect((await call("GET", "/api/sites.csv")).status).toBe(401);
    expect((await downloadCsv(token, "page=2&sort=price")).status).toBe(422);
    expect(splitLines(await downloadCsv(token))).toHaveLength(1);
  });
});
