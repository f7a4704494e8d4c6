import { expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { makeToken, makeUser } from "@/server/testing/factories";
import { countLockWaits } from "@/server/testing/locks";
import { makeEmailFactor } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";

const { call, post } = await startTestServer();

it("writes nothing for an account that is deleted while the request waits for its lock", async () => {
  const { id, email } = await makeUser();
  // Recently used: recording the use would wait for the lock, too.
  const token = await makeToken(id, { lastUsedAt: new Date() });
  await makeEmailFactor(id);
  const { json } = await post("/api/auth/login", { email, password: "correct-horse" });
  const plan = await prisma().subscriptionPlan.findFirstOrThrow({ where: { isActive: true } });
  const lateRequests = [
    () => post("/api/user/views", { list: "sites", name: "Mine", query: "q=a" }, { token }),
    () => call("PUT", "/api/user/menu-labels", { token, body: { menu_labels: { sites: "Mine" } } }),
    () => post("/api/team/invitations", { name: "A", email: "late@example.com" }, { token }),
    () => post("/api/billing/orders", { plan_id: plan.id }, { token }),
    () => post("/api/auth/2fa/send-code", { interim_token: json.interim_token, method: "email" }),
  ];
  const mailCountBefore = await prisma().mailMessage.count();
  let responses: Array<ReturnType<typeof call>> = [];
  await inTransaction(
    async (tx) => {
      await tx.db.user.update({ where: { id }, data: { anonymisedAt: new Date(), isActive: false } });
      await tx.db.interimToken.deleteMany({ where: { userId: id } });
      await tx.db.accessToken.deleteMany({ where: { userId: id } });
      responses = lateRequests.map((send) => send());
      await expect.poll(countLockWaits).toBe(lateRequests.length);
    },
    { seconds: 60 },
  ).finally(() => Promise.allSettled(responses));
  const statuses = (await Promise.all(responses)).map(({ status }) => status);
  expect(statuses).toEqual([401, 401, 401, 401, 401]);
  const remainingCounts = [
    await prisma().savedView.count({ where: { userId: id } }),
    await prisma().invitation.count({ where: { inviterId: id } }),
    await prisma().subscription.count({ where: { userId: id } }),
    (await prisma().mailMessage.count()) - mailCountBefore,
  ];
  expect(remainingCounts).toEqual([0, 0, 0, 0]);
  expect((await prisma().user.findUniqueOrThrow({ where: { id } })).menuLabels).toEqual({});
});
