import { ulid } from "ulid";
import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { parseUserAgent } from "@/server/core/device";
import { createError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { SECOND } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { getAccountBrand } from "@/server/infrastructure/brand/brand";
import { isUniqueViolation } from "@/server/infrastructure/database/error-kinds";
import {
  type Attestation,
  CEREMONY_SECONDS,
  PASSKEYS_MAX,
  type passkeyRegisterOptions,
  type passkeyRegisterVerify,
} from "../contract";
import { findAuthenticatorName, PASSKEY_SELECT, toPasskeyDto } from "../dto";
import {
  type Ceremony,
  consumeRegistrationCeremony,
  deriveUserHandle,
  getRelyingParty,
  startCeremony,
} from "./ceremony";

/** EdDSA, ES256, RS256. */
const COSE_ALGORITHMS = [-8, -7, -257];

export async function startPasskeyRegistration(
  ctx: Context<UserActor>,
): Promise<Output<typeof passkeyRegisterOptions>> {
  if (!ctx.actor.emailVerified) throw createError("email_needs_verification");
  await requireProof(ctx);
  const { id: userId } = ctx.actor;
  const [user, { ref, challenge }, { name: brandName }] = await Promise.all([
    ctx.db.user.findUnique({
      where: { id: userId },
      select: { name: true, email: true, passkeys: { select: { credentialId: true } } },
    }),
    startCeremony(ctx, { purpose: "register", userId }),
    getAccountBrand(ctx, userId),
  ]);
  const creationOptions = {
    challenge,
    // Devices show this name: use the brand that the user knows.
    rp: { id: getRelyingParty().id, name: brandName },
    user: { id: deriveUserHandle(userId), name: user!.email, displayName: user!.name },
    pubKeyCredParams: COSE_ALGORITHMS.map((alg) => ({ alg, type: "public-key" as const })),
    timeout: CEREMONY_SECONDS * SECOND,
    attestation: "none" as const,
    excludeCredentials: user!.passkeys.map(({ credentialId }) => ({
      id: credentialId,
      type: "public-key" as const,
    })),
    authenticatorSelection: {
      residentKey: "required" as const,
      requireResidentKey: true as const,
      userVerification: "required" as const,
    },
  };
  return {
    success: true,
    challenge_ref: ref,
    options: creationOptions,
    publicKey: creationOptions,
    expires_in: CEREMONY_SECONDS,
  };
}

export async function finishPasskeyRegistration(
  ctx: Context<UserActor>,
  { body }: Input<typeof passkeyRegisterVerify>,
): Promise<Output<typeof passkeyRegisterVerify>> {
  if (!ctx.actor.emailVerified) throw createError("email_needs_verification");
  await requireProof(ctx);
  const { id: userId } = ctx.actor;
  const ceremony = await consumeRegistrationCeremony(ctx, userId, body.challenge_ref);
  const verifiedCredential = await verifyAttestation(ceremony, body.credential);
  const deviceName = body.device_name ?? getDefaultDeviceName(ctx, verifiedCredential.aaguid);
  return withLockedOwnAccount(ctx, async (tx) => {
    // Under the lock, so that concurrent additions never exceed the maximum.
    const count = await tx.db.passkey.count({ where: { userId } });
    if (count >= PASSKEYS_MAX) throw createError("passkeys_full", { params: { max: PASSKEYS_MAX } });
    const row = await tx.db.passkey.create({
      data: {
        ...verifiedCredential,
        id: ulid(),
        userId,
        transports: body.credential.response.transports ?? [],
        deviceName,
      },
      select: PASSKEY_SELECT,
    });
    await audit(tx, {
      action: "passkey.added",
      object: { type: "User", id: userId },
      details: { passkey: row.id, device: deviceName },
    });
    await notifyOwner(tx, userId, "passkey_added", { params: { device: deviceName } });
    return {
      success: true as const,
      passkey: toPasskeyDto(row),
      message: formatText(ctx.locale, "responses.passkey_added"),
    };
  }).catch((error) => {
    throw isUniqueViolation(error, "credential_id") ? createError("passkey_known") : error;
  });
}

async function verifyAttestation(
  { challenge, rpId }: Ceremony,
  { response: { transports: _, ...response }, ...credential }: Attestation,
) {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...credential, response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: getRelyingParty().origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: COSE_ALGORITHMS,
    });
    if (!verified) throw new Error("not verified");
    return {
      credentialId: registrationInfo.credential.id,
      publicKey: registrationInfo.credential.publicKey,
      counter: registrationInfo.credential.counter,
      aaguid: registrationInfo.aaguid,
      backupEligible: registrationInfo.credentialDeviceType === "multiDevice",
      backedUp: registrationInfo.credentialBackedUp,
    };
  } catch (cause) {
    throw createError("passkey_invalid", { cause });
  }
}

function getDefaultDeviceName({ userAgent, locale }: Context, aaguid: string): string {
  const { browser, system } = parseUserAgent(userAgent);
  const device = [browser, system].filter(Boolean).join(", ");
  return findAuthenticatorName(aaguid) ?? (device || formatText(locale, "responses.passkey_name"));
}
