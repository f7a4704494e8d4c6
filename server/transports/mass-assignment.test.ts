import { describe, expect, it } from "vitest";
import type { Domain } from "@/server/core/domain";
import { domains } from "@/server/domains";
import { exchangeForSession } from "@/server/domains/access/tokens/service/tokens";
import { pool, prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { makeReseller, makeSite, makeSubscription, makeToken, makeUser } from "@/server/testing/factories";
import { sendHttp } from "@/server/testing/http";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { buildRegistrationBody, getHarmlessBody } from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";
import { selectSamples } from "@/server/testing/suite";

const { call, port } = await startTestServer();

// New IDs have at least four digits: readRecords replaces those.
await pool().query(
  "select setval(oid::regclass, 1000) from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace",
);

const PROTECTED_FIELDS: Record<string, unknown> = {
  id: 1,
  role: "admin",
  is_active: false,
  credits: 999_999,
  email_verified_at: "2020-01-01T00:00:00.000000Z",
  email_key: "taken@example.com",
  password_hash: "$argon2id$",
  is_agent_only: true,
  reseller_id: 1,
  parent_user_id: 1,
  assigned_site_id: 1,
  provider: "google",
  avatar_url: "https://evil.test/x.png",
  app_name: "Evil",
  app_logo_url: "https://evil.test/x.png",
  app_primary_color: "#000000",
  anonymised_at: "2020-01-01T00:00:00.000000Z",
  created_at: "2020-01-01T00:00:00.000000Z",
  updated_at: "2020-01-01T00:00:00.000000Z",
  user_id: 1,
  owner_id: 1,
  subscription_id: 1,
  api_key: "dsk_evil",
  api_key_hash: "00",
  faqs_count: 99,
  token_hash: "00",
  kind: "session",
  expires_at: "2099-01-01T00:00:00.000000Z",
  proven_at: "2099-01-01T00:00:00.000000Z",
  referral_code: "EVIL",
  status: "active",
  price_try: 0,
};
const toCamelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Valid bodies for operations that reject the generated one; `n` makes names unique. */
const VALID_BODIES: Record<string, (n: number) => Record<string, unknown>> = {
  register: () => buildRegistrationBody({ referral_code: null }),
  putUser: () => ({ name: "Yeni Ad" }),
  putProfile: () => ({ name: "Yeni Ad", timezone: "Europe/Berlin" }),
  putMenuLabels: () => ({ menu_labels: { dashboard: "Pano" } }),
  createSite: (n) => ({ name: "Yeni", domain: `mass-${n}.example.com` }),
  updateSite: (n) => ({ name: "Yeni", domain: `mass-${n}-moved.example.com`, bot_name: "Ada" }),
  createUserToken: () => ({ name: "CI", abilities: ["read"], expires_in_days: 30 }),
  changeConsents: () => ({ consents: { marketing: true } }),
  inviteMember: (n) => ({ name: "Ece", email: `mass.${n}@example.com` }),
  putReferral: () => ({ joined: true, city: "Ankara" }),
  putPortal: (n) => ({ domain: `mass-portal-${n}.example.com` }),
  putBrand: () => ({ product_name: "Kaya", color: "#F59E0B" }),
};

let resellerCount = 0;

async function makeResellerWithSite() {
  const n = ++resellerCount;
  const user = await makeUser({ role: "reseller", phone: "+905321234567" });
  await makeReseller(user.id);
  await makeSubscription(user.id, { slots: 5 });
  const site = await makeSite(user.id, { domain: `own-${n}.example.com` });
  const token = await makeToken(user.id);
  await prisma().accessToken.updateMany({ where: { userId: user.id }, data: { provenAt: new Date() } });
  return { n, user, site, token };
}

async function readRecords(userId: number): Promise<string> {
  const json = await pool()
    .query<{ all: string }>(
      `select json_build_object(
         'user', (select row_to_json(u) from users u where id = $1),
         'sites', (select json_agg(s order by id) from sites s where user_id = $1),
         'subscriptions', (select json_agg(s order by id) from subscriptions s where user_id = $1),
         'licences', (select json_agg(l order by id) from site_licences l where user_id = $1),
         'credits', (select json_agg(c order by id) from credit_entries c where user_id = $1),
         'tokens', (select json_agg(t order by id) from access_tokens t where user_id = $1),
         'invitations', (select json_agg(i order by id) from invitations i where inviter_id = $1),
         'portal', (select row_to_json(p) from reseller_portals p where reseller_id = $1),
         'desk', (select row_to_json(r) from resellers r where user_id = $1))::text as all`,
      [userId],
    )
    .then(({ rows }) => rows[0]!.all);
  return (
    json
      .replace(/"\\\\x[0-9a-f]+"/g, '"bytes"')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+(\+00:00)?/g, (time) =>
        time < "2026" || time > "2090" ? time : "time",
      )
      .replace(/\$argon2id\$[^"]{20,}/g, "hash")
      .replace(/"(id|user_id|reseller_id|inviter_id|subscription_id|made_in_id)":\d{4,}/g, '"$1":"own"')
      .replace(/"(last_four|api_key_last_four|referral_code|reference|proof)":"[^"]{4,}"/g, '"$1":"own"')
      // The last use is written asynchronously.
      .replace(/"(ip|last_used_at)":("[^"]*"|null)/g, '"$1":"noted"')
      .replace(/(person|mass|own|mass-portal)[.-][\w.-]+(@example\.com|\.example\.com)?/g, "name")
  );
}

const writeOperations = Object.entries(domains as Record<string, Domain>).flatMap(
  ([domain, { operations = {} }]) =>
    Object.entries(operations)
      .filter(([, { operation }]) => operation.method !== "GET")
      .map(([name, { operation }]) => ({ procedure: `${domain}.${name}`, operation })),
);

async function expectNoEffect(
  { procedure, operation }: (typeof writeOperations)[number],
  transport: "REST" | "panel",
) {
  const results = [];
  for (const extras of [{}, { ...PROTECTED_FIELDS, ...toCamelCaseKeys(PROTECTED_FIELDS) }]) {
    await resetRateLimits();
    const { n, user, site, token } = await makeResellerWithSite();
    const validBody = VALID_BODIES[operation.id]?.(n) ?? getHarmlessBody(operation);
    const body = validBody && { ...extras, ...validBody };
    const id = operation.path.startsWith("/api/sites/") ? String(site.id) : "2147480000";
    const path = operation.path.replace("{id}", id).replace(/\{\w+\}/g, "totp");
    const response =
      transport === "REST"
        ? await call(operation.method, path, {
            body: body ?? extras,
            ...(operation.access === "token" && { token }),
          })
        : await sendHttp(port, "POST", `/trpc/${procedure}`, {
            headers: { origin: "http://panel.test", cookie: `session=${await createSession(user.id)}` },
            body: { params: operation.params && { id, method: "totp" }, body },
          });
    const ownerId = operation.id === "register" && response.status < 300 ? await findNewestUserId() : user.id;
    results.push({ status: response.status, records: await readRecords(ownerId) });
  }
  expect(results[1]).toEqual(results[0]);
  if (VALID_BODIES[operation.id]) expect(results[1]!.status).toBeLessThan(300);
}

describe("protected fields have no effect", () => {
  it.each(writeOperations)("in $operation.id by REST", (write) => expectNoEffect(write, "REST"));

  it.each(selectSamples(writeOperations))("in $procedure by tRPC", (write) => expectNoEffect(write, "panel"));

  it("VALID_BODIES names only existing operations", () => {
    const ids = writeOperations.map(({ operation }) => operation.id);
    expect(Object.keys(VALID_BODIES).filter((id) => !ids.includes(id))).toEqual([]);
  });
});

const toCamelCaseKeys = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [toCamelCase(name), value]));
const findNewestUserId = async () => (await prisma().user.findFirstOrThrow({ orderBy: { id: "desc" } })).id;

async function createSession(userId: number): Promise<string> {
  const token = await makeToken(userId);
  const session = await exchangeForSession(withoutTransaction(), token);
  await prisma().accessToken.updateMany({ where: { userId }, data: { provenAt: new Date() } });
  return session!.secret;
}
