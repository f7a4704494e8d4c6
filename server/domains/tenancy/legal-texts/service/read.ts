import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { LOCALES, type Locale } from "@/server/core/locale";
import { text } from "@/server/core/texts";
import { isoMicros } from "@/server/core/time";
import { CONSENT_VERSIONS, MANDATORY_CONSENTS } from "@/server/domains/accounts/consents/contract";
import { countGranted } from "@/server/domains/accounts/consents/service/record";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { getLegalText, listLegalTexts, previewLegalText } from "../contract";
import { LEGAL_TEXTS, type LegalKey } from "../policy";
import { changesBetween } from "./texts";

type Bodies = Record<Locale, string | null>;

export async function list(ctx: Context<UserActor>): Promise<Output<typeof listLegalTexts>> {
  requireAdministrator(ctx.actor);
  const texts: Output<typeof listLegalTexts>["texts"] = [];
  for (const key of LEGAL_TEXTS) {
    const { bodies: _, ...summary } = await currentText(ctx, key);
    texts.push(summary);
  }
  return { success: true, texts, data: texts, count: texts.length };
}

export async function get(
  ctx: Context<UserActor>,
  { params }: Input<typeof getLegalText>,
): Promise<Output<typeof getLegalText>> {
  requireAdministrator(ctx.actor);
  return { success: true, text: await currentText(ctx, params.key) };
}

export async function preview(
  ctx: Context<UserActor>,
  { params, body }: Input<typeof previewLegalText>,
): Promise<Output<typeof previewLegalText>> {
  requireAdministrator(ctx.actor);
  const current = await currentText(ctx, params.key);
  const read = (bodies: Partial<Bodies>, locale: Locale) => bodies[locale] ?? bodies.tr ?? "";
  const changes = LOCALES.map((locale) => ({
    locale,
    paragraphs: changesBetween(
      read(current.bodies, locale),
      read(body.bodies as Partial<Bodies>, locale),
    ).flatMap(({ kind, text: paragraph }) => (kind === "same" ? [] : [{ kind, text: paragraph }])),
  }));
  return {
    success: true,
    fallback: LOCALES.filter((locale) => !body.bodies[locale]),
    asked: current.asked,
    changes: changes.filter(({ paragraphs }) => paragraphs.length > 0),
  };
}

/** Returns the version in force with its texts, the shipped one if none is published. */
export async function currentText(
  work: DbAccess,
  key: LegalKey,
): Promise<Output<typeof getLegalText>["text"]> {
  const newest = await work.db.legalText.findFirst({
    where: { key },
    orderBy: { publishedAt: "desc" },
    select: { version: true, publishedAt: true },
  });
  const rows = newest
    ? await work.db.legalText.findMany({
        where: { key, version: newest.version },
        select: { locale: true, body: true },
      })
    : LOCALES.map((locale) => ({ locale, body: shippedText(key, locale) }));
  const bodies = new Map(rows.map(({ locale, body }) => [locale, body]));
  return {
    key,
    version: newest?.version ?? shippedVersion(key),
    published_at: isoMicros(newest?.publishedAt ?? null),
    locales: LOCALES.filter((locale) => bodies.has(locale)),
    asked: await countAsked(work, key),
    bodies: Object.fromEntries(LOCALES.map((locale) => [locale, bodies.get(locale) ?? null])) as Bodies,
  };
}

export const shippedVersion = (key: LegalKey) => (key === "agreement" ? "0" : CONSENT_VERSIONS[key]);

export function shippedText(key: LegalKey, locale: Locale): string {
  return text(locale, key === "agreement" ? "agreementText.body" : `consents.${key}.text`);
}

/** Optional consents are not requested again. */
function countAsked(work: DbAccess, key: LegalKey): Promise<number> {
  if (key === "agreement")
    return work.db.reseller.count({
      where: { agreementSignedAt: { not: null }, user: { role: "reseller", isActive: true } },
    });
  return MANDATORY_CONSENTS.some((each) => each === key) ? countGranted(work, key) : Promise.resolve(0);
}
