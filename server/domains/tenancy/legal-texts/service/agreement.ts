import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, invalidField } from "@/server/core/errors";
import { foldText } from "@/server/core/fold";
import { formatText } from "@/server/core/texts";
import { toIsoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { hasSignedAgreement } from "@/server/domains/accounts/portals/service/access";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import type { getAgreement, signAgreement } from "../contract";
import { lockSignatures } from "../statements";
import { diffParagraphs, findAgreementVersion, findNewestAgreement } from "./agreement-texts";
import { recordSignature } from "./record-signature";
import { appendSignature } from "./signature-chain";

export async function readOwnAgreement(ctx: Context<UserActor>): Promise<Output<typeof getAgreement>> {
  if (ctx.actor.role !== "reseller") throw createError("forbidden");
  return { success: true, agreement: await describeAgreement(ctx) };
}

async function describeAgreement(ctx: Context<UserActor>): Promise<Output<typeof getAgreement>["agreement"]> {
  const { id: resellerId } = ctx.actor;
  const newestText = await findNewestAgreement(ctx, ctx.locale);
  const isSigned = await hasSignedAgreement(ctx, resellerId);
  const reseller = await ctx.db.reseller.findUnique({
    where: { userId: resellerId },
    select: { agreementVersion: true, agreementSignedAt: true },
  });
  const signatures = await ctx.db.agreementSignature.findMany({
    where: { resellerId },
    orderBy: { id: "desc" },
    select: {
      version: true,
      locale: true,
      typedName: true,
      signedAt: true,
      ip: true,
      textHash: true,
      hash: true,
    },
  });
  const [signedVersion, signedAt] = [reseller?.agreementVersion ?? null, reseller?.agreementSignedAt ?? null];
  const isNewerThanSignature =
    newestText.publishedAt !== null && signedAt !== null && newestText.publishedAt > signedAt;
  const signedText =
    isNewerThanSignature && signedVersion !== null
      ? await findAgreementVersion(ctx, signedVersion, ctx.locale)
      : undefined;
  return {
    version: newestText.version,
    locale: newestText.locale,
    body: newestText.body,
    text_hash: newestText.hash.toString("hex"),
    published_at: toIsoMicros(newestText.publishedAt),
    signed: isSigned,
    signed_version: signedVersion,
    signed_at: toIsoMicros(signedAt),
    due: signedAt === null || isNewerThanSignature,
    due_by: isSigned && isNewerThanSignature ? toIsoMicros(newestText.requiredFrom) : null,
    changes: signedText ? diffParagraphs(signedText.body, newestText.body) : null,
    signatures: signatures.map((row) => ({
      version: row.version,
      locale: row.locale,
      typed_name: row.typedName,
      signed_at: toIsoMicros(row.signedAt),
      ip: row.ip,
      text_hash: Buffer.from(row.textHash).toString("hex"),
      hash: Buffer.from(row.hash).toString("hex"),
    })),
  };
}

export async function signNewestAgreement(
  ctx: Context<UserActor>,
  { body }: Input<typeof signAgreement>,
): Promise<Output<typeof signAgreement>> {
  const { id: resellerId, role, token } = ctx.actor;
  if (role !== "reseller" || (token.kind !== "session" && token.kind !== "sign_in"))
    throw createError("forbidden");
  if (!body.accepted) throw invalidField("accepted", "accepted");
  await requireProof(ctx);
  return withLockedOwnAccount(ctx, async (tx) => {
    await lockSignatures(tx);
    const newestText = await findNewestAgreement(tx, ctx.locale);
    if (newestText.version !== body.version) throw invalidField("version", "agreement_version");
    const { name } = await tx.db.user.findUniqueOrThrow({
      where: { id: resellerId },
      select: { name: true },
    });
    if (normaliseName(name) !== normaliseName(body.typed_name))
      throw invalidField("typed_name", "agreement_name");
    const signedAt = await appendSignature(tx, {
      resellerId,
      version: newestText.version,
      locale: newestText.locale,
      textHash: newestText.hash,
      typedName: body.typed_name,
      ip: ctx.ip,
      userAgent: ctx.userAgent?.slice(0, 500) ?? null,
    });
    if (signedAt) {
      await recordSignature(tx, resellerId, { version: newestText.version, at: signedAt });
      const object = { type: "User" as const, id: resellerId };
      await audit(tx, { action: "agreement.signed", object, details: { version: newestText.version } });
    }
    const message = formatText(ctx.locale, "responses.agreement_signed");
    return { success: true as const, message, agreement: await describeAgreement(tx) };
  });
}

function normaliseName(name: string): string {
  return foldText(name).trim().replace(/\s+/g, " ");
}
