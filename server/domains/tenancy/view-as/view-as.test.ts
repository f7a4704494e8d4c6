import { describe, expect, it } from "vitest";
import type { Domain } from "@/server/core/domain";
import { DAY, fromNow, MINUTE } from "@/server/core/time";
import { domains } from "@/server/domains";
import { exchangeForSession } from "@/server/domains/access/tokens/service/tokens";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { countByStatus, runConcurrently } from "@/server/testing/burst";
import { makeReseller, makeSite, makeToken, makeUser } from "@/server/testing/factories";
import { sendHttp } from "@/server/testing/http";
import { deliverAndReadMails } from "@/server/testing/mailbox";
import { resetRateLimits } from "@/server/testing/rate-limits";
import {
  buildSampleParams,
  buildSamplePath,
  getHarmlessBody,
  getHarmlessCall,
} from "@/server/testing/requests";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
const { port, call } = server;

const REASON = "Asked why the widget does not open";

async function callPanel(
  session: string,
  name: string,
  input?: object,
  headers: Record<string, string> = {},
) {
  const method = QUERY_NAMES.has(name) ? "GET" : "POST";
  const query = method === "GET" ? `?input=${encodeURIComponent(JSON.stringify(input ?? {}))}` : "";
  const { status, json } = await sendHttp(port, method, `/trpc/${name}${query}`, {
    headers: { origin: "http://panel.test", cookie: `locale=en; session=${session}`, ...headers },
    ...(method === "POST" && { body: input ?? {} }),
  });
  return { status, data: json.result?.data, error: json.error?.data };
}

const operations = Object.entries(domains as Record<string, Domain>).flatMap(([domain, domainSpec]) =>
  Object.entries(domainSpec.operations ?? {}).map(
    ([name, { operation }]) => [`${domain}.${name}`, operation] as const,
  ),
);
const QUERY_NAMES = new Set<string>(
  operations.filter(([, { method }]) => method === "GET").map(([name]) => name),
);

async function makeSession(userId: number): Promise<string> {
  const token = await makeToken(userId, { provenAt: new Date() });
  return (await exchangeForSession(withoutTransaction(), token))!.secret;
}

async function makeSignedReseller() {
  const user = await makeUser({ role: "reseller", name: "Selin Arslan" });
  await makeReseller(user.id);
  return user;
}

async function makePermittingAccount(data: Parameters<typeof makeUser>[0] = {}) {
  const user = await makeUser(data);
  await permitVisits(user.id);
  return user;
}

const permitVisits = (userId: number, until = fromNow(DAY)) =>
  prisma().supportAccess.create({ data: { userId, until }, select: { userId: true } });

const startView = (session: string, userId: number) =>
  callPanel(session, "viewAs.start", { body: { user_id: userId, reason: REASON, minutes: 30 } });

async function makeVisit() {
  const actor = await makeSignedReseller();
  const target = await makePermittingAccount({ resellerId: actor.id, phone: "+905321234567", locale: "tr" });
  const session = await makeSession(actor.id);
  expect((await startView(session, target.id)).status).toBe(200);
  return { actor, target, session };
}

const readCurrentAccountId = async (session: string) =>
  (await callPanel(session, "profile.me")).data?.user.id;

describe("a visit", () => {
  it("shows the other panel with both names, and then the viewer's own again", async () => {
    const { actor, target, session } = await makeVisit();
    expect(await readCurrentAccountId(session)).toBe(target.id);
    const { data } = await callPanel(session, "viewAs.get");
    expect(data.view).toMatchObject({
      actor: { id: actor.id, name: "Selin Arslan", role: "reseller" },
      target: { id: target.id, name: target.name },
    });
    for (const { id } of [actor, target]) {
      const { json } = await call("GET", "/api/auth/user", { token: await makeToken(id) });
      expect(json.user.id).toBe(id);
    }
    expect((await callPanel(session, "viewAs.end")).data.user_id).toBe(target.id);
    expect(await readCurrentAccountId(session)).toBe(actor.id);
    expect((await callPanel(session, "viewAs.get")).data.view).toBeNull();
  });

  it("is recorded before it starts, listed for the viewed account and mailed once a day", async () => {
    const { actor, target, session } = await makeVisit();
    await callPanel(session, "sites.list");
    await callPanel(session, "sites.list");
    await callPanel(session, "viewAs.end");
    await startView(session, target.id);
    const auditEntries = await prisma().auditEvent.findMany({
      where: { onBehalfOf: target.id },
      orderBy: { id: "asc" },
      select: { action: true, actorId: true, objectId: true, details: true },
    });
    const ids = { actorId: actor.id, objectId: String(target.id) };
    const startedEntry = { action: "view_as.started", ...ids, details: { reason: REASON, minutes: 30 } };
    expect(auditEntries).toEqual([
      startedEntry,
      { action: "view_as.ended", ...ids, details: null },
      startedEntry,
    ]);
    expect((await deliverAndReadMails(server, target.email)).map(({ subject }) => subject)).toEqual([
      expect.stringContaining("Selin Arslan"),
    ]);
    const ownSession = await makeSession(target.id);
    const { visits } = (await callPanel(ownSession, "viewAs.getAccess")).data.support_access;
    expect(visits).toMatchObject([
      { name: "Selin Arslan", role: "reseller", reason: REASON, running: true, steps: [] },
      { running: false, steps: [{ operation: "listSites", calls: 2 }] },
    ]);
  });

  it("is mailed again a day after the last sent mail", async () => {
    const { target, session } = await makeVisit();
    const countMailsAfterNextVisit = async () => {
      await callPanel(session, "viewAs.end");
      expect((await startView(session, target.id)).status).toBe(200);
      return (await deliverAndReadMails(server, target.email, "viewed_as")).length;
    };
    expect(await countMailsAfterNextVisit()).toBe(1);
    const whereMail = { userId: target.id, template: "viewed_as" };
    await prisma().mailMessage.updateMany({ where: whereMail, data: { sentAt: fromNow(-DAY) } });
    expect(await countMailsAfterNextVisit()).toBe(2);
    expect(await countMailsAfterNextVisit()).toBe(2);
  });

  it("is mailed again if the previous mail failed", async () => {
    const { target, session } = await makeVisit();
    await deliverAndReadMails(server, target.email);
    const data = { state: "failed", sentAt: null } as const;
    await prisma().mailMessage.updateMany({ where: { userId: target.id, template: "viewed_as" }, data });
    await callPanel(session, "viewAs.end");
    await startView(session, target.id);
    const where = { userId: target.id, template: "viewed_as" };
    expect(await prisma().mailMessage.count({ where })).toBe(2);
  });

  it("needs the panel, a recent proof, a valid permission and a reachable account", async () => {
    const [actor, otherReseller] = [await makeSignedReseller(), await makeSignedReseller()];
    const session = await makeSession(actor.id);
    const customerOfActor = await makeUser({ resellerId: actor.id });
    const customerOfOther = await makePermittingAccount({ resellerId: otherReseller.id });
    const admin = await makeUser({ role: "admin" });
    await permitVisits(admin.id);
    const body = { user_id: customerOfActor.id, reason: REASON, minutes: 15 };
    const token = await makeToken(actor.id, { provenAt: new Date() });
    const tokenResponse = await call("POST", "/api/view-as", { token, body });
    expect(tokenResponse).toMatchObject({ status: 403, json: { success: false } });
    const staleSession = (await exchangeForSession(withoutTransaction(), await makeToken(actor.id)))!.secret;
    expect((await startView(staleSession, customerOfActor.id)).error.error).toBe("identity_unproven");
    expect((await startView(session, customerOfActor.id)).error.error).toBe("view_as_not_allowed");
    await permitVisits(customerOfActor.id, fromNow(-MINUTE));
    expect((await startView(session, customerOfActor.id)).error.error).toBe("view_as_not_allowed");
    await prisma().supportAccess.update({
      where: { userId: customerOfActor.id },
      data: { until: fromNow(DAY) },
    });
    await prisma().user.update({ where: { id: customerOfActor.id }, data: { isActive: false } });
    expect((await startView(session, customerOfActor.id)).error.error).toBe("view_as_not_allowed");
    expect((await startView(session, customerOfOther.id)).error.error).toBe("forbidden");
    expect((await startView(session, 2_147_483_647)).error.error).toBe("record_not_found");
    const personSession = await makeSession((await makeUser()).id);
    expect((await startView(personSession, customerOfOther.id)).error.error).toBe("forbidden");
    const adminSession = await makeSession((await makeUser({ role: "admin" })).id);
    expect((await startView(adminSession, admin.id)).error.error).toBe("forbidden");
    expect((await startView(adminSession, customerOfOther.id)).status).toBe(200);
    expect((await startView(adminSession, customerOfOther.id)).error.error).toBe("view_as_running");
    const parent = await makePermittingAccount({ resellerId: actor.id });
    const member = await makePermittingAccount({ parentUserId: parent.id });
    expect((await startView(session, member.id)).status).toBe(200);
  });

  it("masks e-mail addresses and phone numbers of third parties", async () => {
    const { target, session } = await makeVisit();
    const member = await makeUser({ parentUserId: target.id, email: "colleague@example.org" });
    const { user } = (await callPanel(session, "profile.me")).data;
    expect({ email: user.email, phone: user.phone }).toEqual({ email: target.email, phone: "+905321234567" });
    const { data } = await callPanel(session, "team.list");
    const body = JSON.stringify(data);
    expect(body).toContain("c***e@e***.org");
    expect(body).not.toContain(member.email);
  });

  it("masks people in errors and omits IP addresses and browsers from the activity", async () => {
    const actor = await makeSignedReseller();
    const owner = await makePermittingAccount({ resellerId: actor.id, email: "owner.of.agent@example.org" });
    const site = await makeSite(owner.id);
    const agent = await makePermittingAccount({
      parentUserId: owner.id,
      assignedSiteId: site.id,
      isAgentOnly: true,
    });
    const session = await makeSession(actor.id);
    expect((await startView(session, agent.id)).status).toBe(200);
    const { error } = await callPanel(session, "subscriptions.overview");
    expect(error.body.contact.email).toBe("o***t@e***.org");
    expect(JSON.stringify(error)).not.toContain(owner.email);
    const { data } = (await callPanel(session, "audit.activity")).data;
    expect(data.map(({ ip, user_agent }: Record<string, unknown>) => ({ ip, user_agent }))).toEqual(
      data.map(() => ({ ip: null, user_agent: null })),
    );
  });
});

describe("a visit ends", () => {
  const endActions: Record<
    string,
    (people: { actor: { id: number }; target: { id: number } }) => Promise<unknown>
  > = {
    "when the person forbids it": async ({ target }) =>
      callPanel(await makeSession(target.id), "viewAs.putAccess", { body: { until: null } }),
    "when the permission expires": ({ target }) =>
      prisma().supportAccess.update({ where: { userId: target.id }, data: { until: fromNow(-1) } }),
    "when its time is over": ({ target }) =>
      prisma().viewAs.updateMany({
        where: { targetId: target.id },
        data: { startedAt: fromNow(-31 * MINUTE), expiresAt: fromNow(-1) },
      }),
    "when the person is deactivated": ({ target }) =>
      prisma().user.update({ where: { id: target.id }, data: { isActive: false } }),
    "when the person moves to another reseller": async ({ target }) =>
      prisma().user.update({
        where: { id: target.id },
        data: { resellerId: (await makeSignedReseller()).id },
      }),
    "when the visitor is no longer a reseller": ({ actor }) =>
      prisma().user.update({ where: { id: actor.id }, data: { role: "user" } }),
  };

  it.each(Object.entries(endActions))(
    "%s, and the next request fails instead of reaching the viewer's account",
    async (_, endVisit) => {
      const { actor, target, session } = await makeVisit();
      await endVisit({ actor, target });
      for (const [name, input] of [
        ["profile.me"],
        ["sites.list"],
        ["preferences.changeMenuLabels", { body: { menu_labels: { dashboard: "Yanlış" }, expected: {} } }],
      ] as const)
        expect((await callPanel(session, name, input)).error.error).toBe("view_as_over");
      expect((await callPanel(session, "viewAs.end")).data.user_id).toBe(target.id);
      expect(await readCurrentAccountId(session)).toBe(actor.id);
    },
  );

  it("when an agent's team owner is deactivated, and cannot start again", async () => {
    const actor = await makeSignedReseller();
    const owner = await makeUser({ resellerId: actor.id });
    const agent = await makePermittingAccount({ isAgentOnly: true, parentUserId: owner.id });
    const session = await makeSession(actor.id);
    expect((await startView(session, agent.id)).status).toBe(200);
    await prisma().user.update({ where: { id: owner.id }, data: { isActive: false } });
    expect((await callPanel(session, "profile.me")).error.error).toBe("view_as_over");
    await callPanel(session, "viewAs.end");
    expect((await startView(session, agent.id)).status).toBe(422);
  });

  it("when the viewer signs out or either account is deleted", async () => {
    const { target, session } = await makeVisit();
    await prisma().accessToken.deleteMany({
      where: { user: { viewsAs: { some: { targetId: target.id } } } },
    });
    expect((await callPanel(session, "profile.me")).error.error).toBe("unauthenticated");
    const ownSession = await makeSession(target.id);
    const [lastVisit] = (await callPanel(ownSession, "viewAs.getAccess")).data.support_access.visits;
    expect(lastVisit.running).toBe(false);
    const secondVisit = await makeVisit();
    await prisma().creditEntry.deleteMany({ where: { userId: secondVisit.target.id } });
    await prisma().user.delete({ where: { id: secondVisit.target.id } });
    expect(await readCurrentAccountId(secondVisit.session)).toBe(secondVisit.actor.id);
    // A page that is still open sends the account it belongs to.
    const staleResponse = await callPanel(
      secondVisit.session,
      "profile.me",
      {},
      { "x-account": String(secondVisit.target.id) },
    );
    expect(staleResponse.error.error).toBe("account_changed");
  });

  it("once under concurrent starts and ends", async () => {
    const { actor, target, session } = await makeVisit();
    await callPanel(session, "viewAs.end");
    await resetRateLimits();
    const outcomes = await runConcurrently(20, () => startView(session, target.id));
    expect(countByStatus(outcomes)).toEqual({ 200: 1, 422: 19 });
    await runConcurrently(20, () => callPanel(session, "viewAs.end"));
    const openViewCount = await prisma().viewAs.count({
      where: { actorId: actor.id, tokenId: { not: null } },
    });
    expect(openViewCount).toBe(0);
    expect(await readCurrentAccountId(session)).toEqual(actor.id);
    expect(
      await prisma().auditEvent.count({ where: { onBehalfOf: target.id, action: "view_as.ended" } }),
    ).toBe(2);
  });
});

const CLOSED_TAGS = ["Second factor", "Passkeys", "API keys", "Sessions", "Account deletion"];
const SECRET_KEY_PATTERN = /password|secret|token|_key$|^key$|recovery|otp|certificate/;
const collectKeys = (schema: unknown): string[] => {
  const keys = new Set<string>();
  const walk = (schemaPart: unknown, depth: number): void => {
    if (typeof schemaPart !== "object" || schemaPart === null || depth > 12) return;
    const { shape, _zod } = schemaPart as {
      shape?: Record<string, unknown>;
      _zod?: { def?: Record<string, unknown> };
    };
    for (const [key, inner] of Object.entries(shape ?? {})) {
      keys.add(key);
      walk(inner, depth + 1);
    }
    for (const inner of Object.values(_zod?.def ?? {}))
      for (const item of Array.isArray(inner) ? inner : inner === shape ? [] : [inner]) walk(item, depth + 1);
  };
  walk(schema, 0);
  return [...keys];
};
/** Keys that match `SECRET_KEY_PATTERN` but are masked or not secret. */
const HARMLESS_KEYS = [
  "api_key",
  "ai_provider_api_key",
  "token_expires_at",
  "token_dead",
  "secret_last_four",
];
/** In a series, `key` names a line. */
const isSeries = ({ query }: (typeof operations)[number][1]) =>
  query !== undefined && "compare" in query.shape;

const { session: visitSession, target: visitedAccount } = await makeVisit();
await makeSite(visitedAccount.id);

describe("an operation during a visit", () => {
  const tokenOperations = operations.filter(([, { access }]) => access === "token");

  it.each(tokenOperations)("is open or closed as declared: %s", async (name, operation) => {
    const { viewAs, method, ability = "read", file, upload, tag, output } = operation;
    const isOpen =
      viewAs !== false && method === "GET" && (ability === "read" || ability === "reseller:read") && !file;
    if (isOpen) {
      if (viewAs !== "self") expect(CLOSED_TAGS).not.toContain(tag);
      expect(
        collectKeys(output).filter(
          (key) =>
            SECRET_KEY_PATTERN.test(key) &&
            !HARMLESS_KEYS.includes(key) &&
            !(key === "key" && isSeries(operation)),
        ),
      ).toEqual([]);
    } else if (ability === "read" || ability === "reseller:read" || ability === null)
      expect([false, "self"]).toContain(viewAs);
    if (viewAs === "self") return;
    await resetRateLimits();
    const cookie = { cookie: `session=${visitSession}`, origin: "http://panel.test" };
    const error =
      file || upload
        ? (
            await sendHttp(port, method, buildSamplePath(operation), {
              ...getHarmlessCall(operation),
              headers: { ...(getHarmlessCall(operation).headers ?? {}), ...cookie },
            })
          ).json
        : (
            await callPanel(visitSession, name, {
              params: buildSampleParams(operation),
              body: getHarmlessBody(operation),
            })
          ).error;
    if (isOpen) expect(error?.error).not.toBe("view_as_closed");
    else if (file || upload) expect(error).toMatchObject({ success: false, error: expect.any(String) });
    else expect(error).toMatchObject({ error: "view_as_closed", status: 403 });
  });

  it("changes nothing in either account", async () => {
    const auditEvents = await prisma().auditEvent.findMany({
      where: {
        OR: [{ onBehalfOf: visitedAccount.id }, { objectType: "User", objectId: String(visitedAccount.id) }],
      },
      select: { action: true },
    });
    expect(auditEvents).toEqual([{ action: "view_as.started" }]);
  });
});
