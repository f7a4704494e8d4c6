import { expect, it } from "vitest";
import { fromNow, HOUR } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";
import { createToken, hashSecret } from "@/server/infrastructure/secrets/tokens";
import { makeToken, makeUser } from "@/server/testing/factories";
import { runWhileCallWaits } from "@/server/testing/locks";
import { makeEmailFactor } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";

const { call } = await startTestServer();

interface RecordIds {
  session: number;
  key: number;
  device: number;
}

const CALLS: Array<[string, "POST" | "DELETE", (recordIds: RecordIds) => string]> = [
  ["ends no session", "DELETE", ({ session }) => `/api/profile/sessions/${session}`],
  ["ends no other sessions", "DELETE", () => "/api/profile/sessions"],
  ["revokes no key", "DELETE", ({ key }) => `/api/user/tokens/${key}`],
  ["deletes no trusted device", "DELETE", ({ device }) => `/api/profile/devices/${device}`],
  ["starts no second factor", "POST", () => "/api/profile/2fa/totp"],
  ["gets no interim token", "POST", () => "/api/auth/confirm-identity/start"],
];

it.each(CALLS)("a token revoked during its request %s", async (_, method, getPath) => {
  const { id } = await makeUser();
  await makeEmailFactor(id);
  const token = await makeToken(id, { provenAt: new Date() });
  const tokenFilter = { userId: id, lastFour: token.slice(-4) };
  await makeToken(id);
  await makeToken(id, { kind: "api_key" });
  const device = await prisma().trustedDevice.create({
    data: {
      userId: id,
      tokenHash: Uint8Array.from(hashSecret(createToken("dst"))),
      expiresAt: fromNow(HOUR),
    },
  });
  const findTokenId = async (kind: "sign_in" | "api_key") =>
    (await prisma().accessToken.findFirstOrThrow({ where: { userId: id, kind }, orderBy: { id: "desc" } }))
      .id;
  const recordIds = {
    session: await findTokenId("sign_in"),
    key: await findTokenId("api_key"),
    device: device.id,
  };
  const response = await runWhileCallWaits(
    id,
    () => call(method, getPath(recordIds), { token }),
    () => prisma().accessToken.deleteMany({ where: tokenFilter }),
  );
  expect(response.status).toBe(401);
  const accountAfter = await prisma().user.findUniqueOrThrow({
    where: { id },
    select: { _count: { select: { tokens: true, devices: true, factors: true, interims: true } } },
  });
  expect(accountAfter._count).toEqual({ tokens: 2, devices: 1, factors: 1, interims: 0 });
});
