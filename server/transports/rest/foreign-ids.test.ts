import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { ulid } from "ulid";
import { describe, expect, it } from "vitest";
import type { AnyOperation } from "@/server/core/contract";
import { DAY, fromNow } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { ERASED_CONTENT } from "@/server/infrastructure/mail/outbox";
import { seal } from "@/server/infrastructure/secrets/seal";
import { createToken } from "@/server/infrastructure/secrets/tokens";
import { storage } from "@/server/infrastructure/storage/storage";
import {
  makeConnection,
  makeLicence,
  makeMedia,
  makePayment,
  makeReseller,
  makeSite,
  makeSubscription,
  makeToken,
  makeUser,
} from "@/server/testing/factories";
import { makeDocument } from "@/server/testing/invoices";
import { resetRateLimits } from "@/server/testing/rate-limits";
import { getHarmlessCall } from "@/server/testing/requests";
import { listRelationsOfOperation, makeRow } from "@/server/testing/rows";
import { startTestServer } from "@/server/testing/server";
import { getHandlers } from "./operations";

/* Tests docs/contract.md, section 5.5. A domain without a table needs an entry in RECORD_FACTORIES. */

const { call } = await startTestServer();

const newSecretHash = () => Uint8Array.from(randomBytes(32));
type MakeRecord = (ownerId: number) => Promise<{ id: number | string }>;

const makeTokenOfKind = (kind: "api_key" | "sign_in") => (userId: number) =>
  prisma().accessToken.create({
    data: {
      userId,
      kind,
      name: kind,
      tokenHash: newSecretHash(),
      lastFour: "abcd",
      expiresAt: fromNow(DAY),
    },
  });

const makeWebhookEndpoint = (userId: number) =>
  prisma().webhookEndpoint.create({
    data: {
      userId,
      url: "https://10.0.0.1/",
      urlHash: newSecretHash(),
      secretSealed: seal("whsec_c2VjcmV0", "webhook_secret"),
      secretLastFour: "abcd",
    },
  });

/** Records by path prefix, where a row of the domain's first table is not enough. */
const RECORD_FACTORIES: Record<string, MakeRecord> = {
  "/api/sites/": (userId) => makeSite(userId),
  "/api/connections/": (userId) => makeConnection(userId),
  "/api/connection-cleanups/": (askedById) => prisma().cleanupRun.create({ data: { id: ulid(), askedById } }),
  "/api/user/tokens/": makeTokenOfKind("api_key"),
  "/api/profile/sessions/": makeTokenOfKind("sign_in"),
  "/api/profile/devices/": (userId) =>
    prisma().trustedDevice.create({ data: { userId, tokenHash: newSecretHash(), expiresAt: fromNow(DAY) } }),
  "/api/profile/identities/": (userId) =>
    prisma().externalIdentity.create({
      data: {
        userId,
        provider: "google",
        issuer: "https://issuer.test",
        subject: ulid(),
        email: "a@example.com",
      },
    }),
  "/api/profile/passkeys/": (userId) =>
    prisma().passkey.create({
      data: {
        id: ulid(),
        userId,
        credentialId: ulid(),
        publicKey: newSecretHash(),
        counter: 0,
        aaguid: "00000000-0000-0000-0000-000000000000",
        deviceName: "Telefon",
        backedUp: false,
        backupEligible: false,
        transports: [],
      },
    }),
  "/api/team/invitations/": (inviterId) =>
    prisma().invitation.create({
      data: {
        inviterId,
        name: "Ece",
        email: `${ulid()}@example.com`,
        emailKey: `${ulid()}@example.com`,
        tokenHash: newSecretHash(),
        expiresAt: fromNow(DAY),
      },
    }),
  "/api/reseller/customers/": (resellerId) => makeUser({ resellerId }),
  "/api/reseller/invitations/": (resellerId) =>
    prisma().customerInvitation.create({
      data: {
        resellerId,
        name: "Ece",
        email: `${ulid()}@example.com`,
        emailKey: `${ulid()}@example.com`,
        tokenHash: newSecretHash(),
        expiresAt: fromNow(DAY),
      },
    }),
  "/api/reseller/notes/": async (resellerId) => {
    const customer = await makeUser({ resellerId });
    return prisma().customerNote.create({ data: { resellerId, customerId: customer.id, body: "Not" } });
  },
  "/api/media/": (userId) => makeMedia(userId),
  "/api/snippets/": (userId) =>
    prisma().snippet.create({ data: { userId, title: "Merhaba", body: "Merhaba", searchText: "merhaba" } }),
  "/api/user/views/": (userId) =>
    prisma().savedView.create({ data: { userId, list: "sites", name: "Kapalı", query: "is_active=false" } }),
  "/api/webhooks/": makeWebhookEndpoint,
  "/api/webhook-deliveries/": async (userId) => {
    const event = await prisma().webhookEvent.create({
      data: { id: `msg_${ulid()}`, type: "site.created", body: "{}", audience: [userId] },
    });
    const { id: endpointId } = await makeWebhookEndpoint(userId);
    return prisma().webhookDelivery.create({
      data: { endpointId, eventId: event.id, nextAt: fromNow(DAY) },
    });
  },
  "/api/team/members/": (parentUserId) => makeUser({ parentUserId }),
  "/api/admin/payments/": async (userId) => {
    const payment = await makePayment(userId);
    await storage().write(payment.receiptKey!, Readable.from(["%PDF-"]));
    return payment;
  },
  "/api/admin/accounting/": makeInvoice,
  "/api/billing/documents/": makeInvoice,
  "/api/admin/licences/": (userId) => makeLicence(userId),
  "/api/admin/jobs/": async () => {
    const sql = "select id::float8 as id from graphile_worker.add_job('forget_tokens')";
    const [job] = await prisma().$queryRawUnsafe<[{ id: number }]>(sql);
    return job;
  },
  "/api/admin/plans/": () => prisma().subscriptionPlan.findFirstOrThrow({ where: { slug: "pro" } }),
  "/api/billing/orders/": async (userId) => {
    const { id } = await makeSubscription(userId);
    return prisma().subscription.update({ where: { id }, data: { status: "pending" } });
  },
  "/api/admin/mails/": (userId) => {
    const mail = {
      toAddress: "a@example.com",
      template: "password_changed",
      locale: "en",
      sealed: ERASED_CONTENT,
    };
    return prisma().mailMessage.create({ data: { userId, ...mail } });
  },
  "/api/admin/users/": (userId) => Promise.resolve({ id: userId }),
  "/api/admin/factor-resets/": async () =>
    prisma().adminAction.create({
      data: {
        id: ulid(),
        kind: "reset_two_factor",
        targetId: (await makeUser()).id,
        reason: "Not",
        needsApproval: false,
        runAt: fromNow(DAY),
        cancelHash: newSecretHash(),
      },
    }),
};

async function makeInvoice(userId: number) {
  const pdfKey = `invoices/${userId}done.pdf`;
  await storage().write(pdfKey, Readable.from(["%PDF-"]));
  return makeDocument({
    ...{
      userId,
      state: "done",
      contactRemoteId: "1",
      invoiceRemoteId: "2",
      issueDate: new Date(),
      kind: "e_archive",
    },
    ...{ documentRemoteId: "3", documentNumber: "TLA1", pdfKey, doneAt: new Date() },
  });
}

/** Paths of records that need a secret in the request. Without it, they look missing. */
const SECRET_RECORD_PATHS = ["/api/deletion-certificates/", "/api/user/export/"];

const MISSING_IDS = { number: "2147480000", ulid: "0".repeat(26) };
const FORBIDDEN_RESPONSE = '{"message":"This action is unauthorized."}';

const operationsWithId = getHandlers()
  .map(({ operation }) => operation)
  .filter(({ path }) => path.includes("{id}"));
const ownedOperations = operationsWithId.filter(
  ({ path }) => !SECRET_RECORD_PATHS.some((recordPrefix) => path.startsWith(recordPrefix)),
);

async function makeCaller(role: "reseller" | "admin" = "reseller") {
  const user = await makeUser({ role });
  if (role === "reseller") await makeReseller(user.id);
  return { id: user.id, token: await makeToken(user.id, { provenAt: new Date() }) };
}

function makeOwnRow(operationId: string, ownerId: number) {
  const [relation] = listRelationsOfOperation(operationId);
  if (!relation) throw new Error(`foreign-ids.test.ts needs a record for ${operationId}`);
  return makeRow(relation.table, { column: relation.column, ownerId, textPrefix: "own" });
}

function callOperation(operation: AnyOperation, id: number | string, callerToken: string) {
  const path = operation.path.replace("{id}", String(id));
  return call(operation.method, path, { token: callerToken, ...getHarmlessCall(operation) });
}

describe("an id in a path", () => {
  it.each(ownedOperations.map((operation) => [operation.id, operation] as const))(
    "of %s is 403 when foreign and 404 when missing",
    async (_, operation) => {
      await resetRateLimits();
      const recordPrefix = Object.keys(RECORD_FACTORIES).find((prefix) => operation.path.startsWith(prefix));
      const owner = await makeCaller(operation.ability === "admin:*" ? "admin" : "reseller");
      const stranger = await makeCaller();
      const id = recordPrefix
        ? (await RECORD_FACTORIES[recordPrefix]!(owner.id)).id
        : await makeOwnRow(operation.id, owner.id);

      const foreignResponse = await callOperation(operation, id, stranger.token);
      expect(foreignResponse).toMatchObject({ status: 403, text: FORBIDDEN_RESPONSE });
      const missingId = typeof id === "string" ? MISSING_IDS.ulid : MISSING_IDS.number;
      const missingResponse = await callOperation(operation, missingId, owner.token);
      expect(missingResponse.status).toBe(404);
      expect(Object.keys(missingResponse.json)).toEqual(["message"]);
      expect(missingResponse.json.message).toContain(`${operation.record}] ${missingId}`);
      // Last, because it may delete the record. Other rules may still reject the call.
      const ownResponse = await callOperation(operation, id, owner.token);
      expect(
        [200, 201, 422].includes(ownResponse.status) || /mail/i.test(operation.id),
        ownResponse.text,
      ).toBe(true);
      expect(ownResponse.text).not.toBe(FORBIDDEN_RESPONSE);
    },
  );

  it.each(
    operationsWithId
      .filter((operation) => !ownedOperations.includes(operation))
      .map((each) => [each.id, each] as const),
  )("of %s does not reveal whether it exists: 404, as the description says", async (_, operation) => {
    const owner = await makeUser();
    const id = ulid();
    if (operation.path.startsWith("/api/user/export/"))
      await prisma().dataExport.create({
        data: { id, userId: owner.id, tokenHash: newSecretHash(), state: "ready" },
      });
    else
      await prisma().deletionCertificate.create({
        data: { id, mode: "deleted", codeHash: newSecretHash(), summary: [] },
      });
    const query = `?code=wrong&token=${createToken("dsx")}`;
    const [existingResponse, missingResponse] = [id, MISSING_IDS.ulid].map((each) =>
      call(operation.method, `${operation.path.replace("{id}", each)}${query}`),
    );
    expect((await existingResponse!).status).toBe(404);
    expect((await missingResponse!).status).toBe(404);
    expect(operation.description).toMatch(/ 404\.$/);
  });

  it("with another name is a language, a two-factor method, a picture or a legal text, which have no owner", () => {
    const otherPaths = getHandlers()
      .map(({ operation }) => operation.path)
      .filter((path) => /\{(?!id\})/.test(path));
    expect(new Set(otherPaths)).toEqual(
      new Set([
        "/api/i18n/{locale}.json",
        "/api/profile/2fa/{method}",
        "/api/reseller/brand/{picture}",
        "/api/admin/legal-texts/{key}",
        "/api/admin/legal-texts/{key}/preview",
        "/api/public/legal-texts/{key}",
      ]),
    );
  });
});
