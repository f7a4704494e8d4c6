import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { LOCALES, type Locale } from "@/server/core/locale";
import { formatText } from "@/server/core/texts";
import { toIsoMicros } from "@/server/core/time";
import { CONSENT_VERSIONS, MANDATORY_CONSENTS } from "@/server/domains/accounts/consents/contract";
import { countConsentingAccounts } from "@/server/domains/accounts/consents/service/record";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { getLegalText, listLegalTexts, previewLegalText } from "../contract";
import { LEGAL_TEXTS, type LegalTextKey } from "../policy";
import { diffParagraphs } from "./agreement-texts";

type Bodies = Record<Locale, string | null>;

export async function listCurrentTexts(ctx: Context<UserActor>): Promise<Output<typeof listLegalTexts>> {
  requireAdministrator(ctx.actor);
  const texts: Output<typeof listLegalTexts>["texts"] = [];
  for (const key of LEGAL_TEXTS) {
    const { bodies: _, ...summary } = await readCurrentText(ctx, key);
    texts.push(summary);
  }
  return { success: true, texts, data: texts, count: texts.length };
}

export async function getCurrentText(
  ctx: Context<UserActor>,
  { params }: Input<typeof getLegalText>,
): Promise<Output<typeof getLegalText>> {
  requireAdministrator(ctx.actor);
  return { success: true, text: await readCurrentText(ctx, params.key) };
}

export async function previewNewText(
  ctx: Context<UserActor>,
  { params, body }: Input<typeof previewLegalText>,
): Promise<Output<typeof previewLegalText>> {
  requireAdministrator(ctx.actor);
  const currentText = await readCurrentText(ctx, params.key);
  const findBody = (bodies: Partial<Bodies>, locale: Locale) => bodies[locale] ?? bodies.tr ?? "";
  const changes = LOCALES.map((locale) => ({
    locale,
    paragraphs: diffParagraphs(
      findBody(currentText.bodies, locale),
      findBody(body.bodies as Partial<Bodies>, locale),
    ).flatMap(({ kind, text: paragraph }) => (kind === "same" ? [] : [{ kind, text: paragraph }])),
  }));
  return {
    success: true,
    fallback: LOCALES.filter((locale) => !body.bodies[locale]),
    asked: currentText.asked,
    changes: changes.filter(({ paragraphs }) => paragraphs.length > 0),
  };
}

/** Returns the newest published version, or the one shipped with the software. */
export async function readCurrentText(
  dbAccess: DbAccess,
  key: LegalTextKey,
): Promise<Output<typeof getLegalText>["text"]> {
  const newestVersion = await dbAccess.db.legalText.findFirst({
    where: { key },
    orderBy: { publishedAt: "desc" },
    select: { version: true, publishedAt: true },
  });
  const rows = newestVersion
    ? await dbAccess.db.legalText.findMany({
        where: { key, version: newestVersion.version },
        select: { locale: true, body: true },
      })
    : LOCALES.map((locale) => ({ locale, body: getShippedText(key, locale) }));
  const bodies = new Map(rows.map(({ locale, body }) => [locale, body]));
  return {
    key,
    version: newestVersion?.version ?? getShippedVersion(key),
    published_at: toIsoMicros(newestVersion?.publishedAt ?? null),
    locales: LOCALES.filter((locale) => bodies.has(locale)),
    asked: await countAccountsToAsk(dbAccess, key),
    bodies: Object.fromEntries(LOCALES.map((locale) => [locale, bodies.get(locale) ?? null])) as Bodies,
  };
}

export const getShippedVersion = (key: LegalTextKey) => (key === "agreement" ? "0" : CONSENT_VERSIONS[key]);

export function getShippedText(key: LegalTextKey, locale: Locale): string {
  return formatText(locale, key === "agreement" ? "agreementText.body" : `consents.${key}.text`);
}

/** Returns 0 for optional consents, which are not requested again. */
function countAccountsToAsk(dbAccess: DbAccess, key: LegalTextKey): Promise<number> {
  if (key === "agreement")
    return dbAccess.db.reseller.count({
      where: { agreementSignedAt: { not: null }, user: { role: "reseller", isActive: true } },
    });
  return MANDATORY_CONSENTS.some((consentKey) => consentKey === key)
    ? countConsentingAccounts(dbAccess, key)
    : Promise.resolve(0);
}
