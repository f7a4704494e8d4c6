import { ulid } from "ulid";
import { describe, expect, it } from "vitest";
import { prisma } from "@/server/infrastructure/database/client";
import { makeProvenUser, makeToken, makeUser } from "@/server/testing/factories";
import { deliverAndReadMails, getLinkParam } from "@/server/testing/mailbox";
import { makeTotpFactor } from "@/server/testing/second-factor";
import { startTestServer } from "@/server/testing/server";

const server = await startTestServer();
const { post } = server;
const makeUnverifiedUser = async () => {
  const user = await makeUser({ emailVerifiedAt: null });
  return { ...user, token: await makeToken(user.id, { provenAt: new Date() }) };
};

describe("an account with an unverified address", () => {
  it.each([
    ["passkey", "/api/profile/passkeys/register/options", {}],
    ["connected provider", "/api/profile/identities/start", {}],
    ["key without expiry", "/api/user/tokens", { name: "Key", expires_in_days: null }],
  ])("cannot add a %s", async (_, path, body) => {
    const squatter = await makeUnverifiedUser();
    const refusedResponse = await post(path, body, { token: squatter.token });
    expect({ status: refusedResponse.status, json: refusedResponse.json }).toEqual({
      status: 422,
      json: { success: false, error: expect.any(String) },
    });
    const { token } = await makeProvenUser();
    expect([200, 201]).toContain((await post(path, body, { token })).status);
  });

  it("loses all credentials when its password is reset by mail", async () => {
    const { id, email } = await makeUnverifiedUser();
    await prisma().passkey.create({
      data: {
        id: ulid(),
        userId: id,
        credentialId: `squatter-${id}`,
        publicKey: new Uint8Array(1),
        deviceName: "Squatter",
        aaguid: "",
        backupEligible: false,
        backedUp: false,
      },
    });
    await prisma().externalIdentity.create({
      data: { userId: id, provider: "google", issuer: "squatter", subject: `s${id}`, email: "s@example.com" },
    });
    await makeTotpFactor(id);
    const bystander = await makeUser();
    const { recoveryCodes } = await makeTotpFactor(bystander.id);
    await post("/api/auth/forgot-password", { email });
    const token = getLinkParam((await deliverAndReadMails(server, email, "reset_password"))[0]!, "token");
    const password = "a-brand-new-password";
    const resetResponse = await post("/api/auth/reset-password", {
      token,
      email,
      password,
      password_confirmation: password,
    });
    expect(resetResponse).toMatchObject({ status: 200, json: { requires_verification: true } });
    const counts = await Promise.all([
      prisma().passkey.count({ where: { userId: id } }),
      prisma().externalIdentity.count({ where: { userId: id } }),
      prisma().factor.count({ where: { userId: id } }),
      prisma().recoveryCode.count({ where: { userId: id } }),
      prisma().accessToken.count({ where: { userId: id } }),
    ]);
    expect(counts).toEqual([0, 0, 0, 0, 0]);
    expect(await prisma().recoveryCode.count({ where: { userId: bystander.id } })).toBe(recoveryCodes.length);
  });
});
