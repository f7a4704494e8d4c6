import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { invalidField, refuse } from "@/server/core/errors";
import { fold } from "@/server/core/fold";
import { text } from "@/server/core/texts";
import { isoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { hasSignedAgreement } from "@/server/domains/accounts/portals/service/access";
import { withOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import type { getAgreement, signAgreement } from "../contract";
import { lockSignatures } from "../statements";
import { diffParagraphs, findAgreementVersion, findNewestAgreement } from "./agreement-texts";
import { recordSignature } from "./record-signature";
import { appendSignature } from "./signature-chain";

export async function readOwnAgreement(ctx: Context<UserActor>): Promise<Output<typeof getAgreement>> {
  if (ctx.actor.role !== "reseller") throw refuse("forbidden");
  return { success: true, agreement: await describeAgreement(ctx) };
}

async function describeAgreement(ctx: Context<UserActor>): Promise<Output<typeof getAgreement>["agreement"]> {
  const { id: resellerId } = ctx.actor;
  const newest = await findNewestAgreement(ctx, ctx.locale);
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
  const [version, signedAt] = [reseller?.agreementVersion ?? null, reseller?.agreementSignedAt ?? null];
  const isNewerThanSignature =
    newest.publishedAt !== null && signedAt !== null && newest.publishedAt > signedAt;
  const signedText =
    isNewerThanSignature && version !== null
      ? await findAgreementVersion(ctx, version, ctx.locale)
      : undefined;
  return {
    version: newest.version,
    locale: newest.locale,
    body: newest.body,
    text_hash: newest.hash.toString("hex"),
    published_at: isoMicros(newest.publishedAt),
    signed: isSigned,
    signed_version: version,
    signed_at: isoMicros(signedAt),
    due: signedAt === null || isNewerThanSignature,
    due_by: isSigned && isNewerThanSignature ? isoMicros(newest.requiredFrom) : null,
    changes: signedText ? diffParagraphs(signedText.body, newest.body) : null,
    signatures: signatures.map((row) => ({
      version: row.version,
      locale: row.locale,
      typed_name: row.typedName,
      signed_at: isoMicros(row.signedAt),
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
    throw refuse("forbidden");
  if (!body.accepted) throw invalidField("accepted", "accepted");
  await requireProof(ctx);
  return withOwnAccount(ctx, async (tx) => {
    // Publishing takes the same lock, so the version cannot change before the signature.
    await lockSignatures(tx);
    const newest = await findNewestAgreement(tx, ctx.locale);
    if (newest.version !== body.version) throw invalidField("version", "agreement_version");
    const { name } = await tx.db.user.findUniqueOrThrow({
      where: { id: resellerId },
      select: { name: true },
    });
    if (normaliseName(name) !== normaliseName(body.typed_name))
      throw invalidField("typed_name", "agreement_name");
    const signedAt = await appendSignature(tx, {
      resellerId,
      version: newest.version,
      locale: newest.locale,
      textHash: newest.hash,
      typedName: body.typed_name,
      ip: ctx.ip,
      userAgent: ctx.userAgent?.slice(0, 500) ?? null,
    });
    if (signedAt) {
      await recordSignature(tx, resellerId, { version: newest.version, at: signedAt });
      const object = { type: "User" as const, id: resellerId };
      await audit(tx, { action: "agreement.signed", object, details: { version: newest.version } });
    }
    const message = text(ctx.locale, "responses.agreement_signed");
    return { success: true as const, message, agreement: await describeAgreement(tx) };
  });
}

function normaliseName(name: string): string {
  return fold(name).trim().replace(/\s+/g, " ");
}
