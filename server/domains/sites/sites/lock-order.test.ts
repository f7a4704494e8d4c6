import { expect, it } from "vitest";
import { DAY, fromNow } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { BURST_ROUNDS, countByStatus, runConcurrently } from "@/server/testing/burst";
import {
  makeLicence,
  makeMedia,
  makeSignedInUser,
  makeSite,
  makeSubscription,
  makeToken,
  makeUser,
} from "@/server/testing/factories";
import { countLockWaits } from "@/server/testing/locks";
import { startTestServer } from "@/server/testing/server";

const { call } = await startTestServer();

const updateSite = (siteId: number, token: string) =>
  call("PUT", `/api/sites/${siteId}`, { token, body: { name: "Site" } });

it.each(BURST_ROUNDS)("two administrators change each other's site without deadlock, round %i", async () => {
  const admins = [await makeUser({ role: "admin" }), await makeUser({ role: "admin" })] as const;
  const tokens = [await makeToken(admins[0].id), await makeToken(admins[1].id)] as const;
  const sites = [await makeSite(admins[0].id), await makeSite(admins[1].id)] as const;
  const responses = await runConcurrently(20, (n) => updateSite(sites[n % 2]!.id, tokens[(n + 1) % 2]!));
  expect(countByStatus(responses)).toEqual({ 200: 20 });
});

it.each(BURST_ROUNDS)(
  "a parent changes and the owner activates a site without deadlock, round %i",
  async () => {
    const parent = await makeUser();
    const owner = await makeUser({ parentUserId: parent.id });
    await makeSubscription(owner.id, { slots: 20 });
    const [token, ownerToken] = [await makeToken(parent.id), await makeToken(owner.id)];
    const site = await makeSite(owner.id);
    const responses = await runConcurrently(20, (n) =>
      n % 2 === 0
        ? updateSite(site.id, token)
        : call("POST", `/api/sites/${site.id}/activate`, { token: ownerToken, body: {} }),
    );
    expect(countByStatus(responses)[503]).toBeUndefined();
    expect(countByStatus(responses)[200]).toBeGreaterThanOrEqual(10);
  },
);

it("an activation waits for a licence payment without locking the site", async () => {
  const reseller = await makeUser({ role: "reseller" });
  const owner = await makeUser({ resellerId: reseller.id });
  await makeSubscription(owner.id, { slots: 1 });
  const suspendedColumns = { isActive: false, suspendedReason: "licence_unpaid" } as const;
  const { id: siteId } = await makeSite(owner.id, suspendedColumns);
  const licence = await makeLicence(reseller.id, { siteId, payBy: fromNow(-DAY) });
  const token = await makeToken(owner.id, { lastUsedAt: new Date() });
  let activation: ReturnType<typeof call> | undefined;
  await inTransaction(
    async (tx) => {
      // Recording a payment locks only the reseller's account, then licence and site.
      await tx.db.siteLicence.update({ where: { id: licence.id }, data: { status: "active" } });
      activation = call("POST", `/api/sites/${siteId}/activate`, { token, body: {} });
      await expect.poll(countLockWaits).toBe(1);
      await tx.db.site.update({ where: { id: siteId }, data: { isActive: true, suspendedReason: null } });
    },
    { seconds: 60 },
  ).finally(() => Promise.allSettled([activation]));
  expect((await activation!).status).toBe(200);
  const { subscriptionId } = await prisma().site.findUniqueOrThrow({ where: { id: siteId } });
  expect(subscriptionId, "the licence pays").toBeNull();
});

it.each(BURST_ROUNDS)(
  "a file deleted while its snippet is updated leaves no reference, round %i",
  async () => {
    const { id, token } = await makeSignedInUser();
    for (let n = 0; n < 10; n++) {
      const file = await makeMedia(id);
      const snippet = await prisma().snippet.create({
        data: { userId: id, title: "A", body: "a", searchText: "a", mediaFileId: file.id },
      });
      const [snippetResponse, deletion] = await Promise.all([
        call("PUT", `/api/snippets/${snippet.id}`, { token, body: { media_file_id: file.id, title: "B" } }),
        call("DELETE", `/api/media/${file.id}`, { token }),
      ]);
      expect([200, 422]).toContain(snippetResponse.status);
      expect(deletion.status).toBe(200);
      const { mediaFileId } = await prisma().snippet.findUniqueOrThrow({ where: { id: snippet.id } });
      expect(mediaFileId).toBeNull();
    }
  },
);
