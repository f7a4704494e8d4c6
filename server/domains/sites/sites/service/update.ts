import type { Context, UserActor } from "@/server/core/context";
import { type Input, RawJson } from "@/server/core/contract";
import { countedInvalidField } from "@/server/core/errors";
import { rejectStaleChange } from "@/server/core/stale";
import { formatText } from "@/server/core/texts";
import { addSecretChange, audit, diffFields } from "@/server/domains/accounts/audit/service/audit";
import { addLicenceDomain, findDebtBlockingDomain } from "@/server/domains/sites/slots/service/licences";
import { isUniqueViolation } from "@/server/infrastructure/database/error-kinds";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { seal } from "@/server/infrastructure/secrets/seal";
import type { updateSite } from "../contract";
import { SITE_DEFAULTS } from "../policy";
import { findSiteJson } from "../statements";
import { licenceOverdueError } from "./billing";
import { requireNotSuspendedByAdmin, withLockedSite } from "./manageable";
import { buildSiteSearchText } from "./search";

type Body = Input<typeof updateSite>["body"];

const SETTINGS_SELECT = {
  name: true,
  domain: true,
  widgetColor: true,
  widgetPosition: true,
  welcomeMessage: true,
  botName: true,
  aiEnabled: true,
  similarityThreshold: true,
  systemPrompt: true,
  maxMessagesPerSession: true,
} as const satisfies Prisma.SiteSelect;
/** Field name of the provider key in the audit log; there is no such column. */
const PROVIDER_KEY_FIELD = "aiProviderKey";
type SiteSettings = Prisma.SiteGetPayload<{ select: typeof SETTINGS_SELECT }>;

/** A held or unpaid site keeps its domain. Otherwise the same site could be created again with it. */
export async function updateManagedSite(
  ctx: Context<UserActor>,
  { params, body }: Input<typeof updateSite>,
): Promise<RawJson> {
  const { id } = params;
  return withLockedSite(
    ctx,
    id,
    async (tx, site) => {
      const before = await tx.db.site.findUniqueOrThrow({ where: { id }, select: SETTINGS_SELECT });
      const after = applyChanges(before, body);
      rejectStaleChange(body.expected, { current: toApiSettings(before), requested: toApiSettings(after) });
      const changesDomain = after.domain !== before.domain;
      if (changesDomain) requireNotSuspendedByAdmin(ctx.actor, site);
      const changedFields = listChangedFields(before, after, body);
      if (changedFields.length > 0) {
        const data = { ...after, ...toProviderKeyColumns(body), searchText: buildSiteSearchText(after) };
        await tx.db.site.update({ where: { id }, data, select: { id: true } });
        if (changesDomain) await recordNewDomain(tx, id, after.domain);
        const object = { type: "Site" as const, id };
        const changes = diffFields(before, after);
        await audit(tx, {
          action: "site.changed",
          object,
          details: { fields: changedFields.join(" ") },
          changes: changedFields.includes(PROVIDER_KEY_FIELD)
            ? addSecretChange(changes, PROVIDER_KEY_FIELD)
            : changes,
        });
      }
      const [savedSite] = await findSiteJson(tx, { siteId: id });
      const message = JSON.stringify(formatText(ctx.locale, "responses.site_saved"));
      return new RawJson(`{"success":true,"message":${message},"data":${savedSite!.json}}`);
    },
    { locksSlots: body.domain !== undefined },
  ).catch((error: unknown) => {
    throw isUniqueViolation(error, "domain") ? countedInvalidField("domain", "domain_taken") : error;
  });
}

/** Throws `licence_overdue`. Call it after the update, so that a taken domain is reported first. */
async function recordNewDomain(tx: Context<UserActor>, siteId: number, domain: string): Promise<void> {
  const debt = tx.actor.role === "admin" ? undefined : await findDebtBlockingDomain(tx, { siteId, domain });
  if (debt) throw licenceOverdueError(debt);
  await addLicenceDomain(tx, siteId, domain);
}

/** Omitted fields stay; null restores the default. */
function applyChanges(before: SiteSettings, body: Body): SiteSettings {
  const resolveValue = <V>(value: V | null | undefined, current: V, defaultValue: V) =>
    value === undefined ? current : (value ?? defaultValue);
  return {
    name: body.name ?? before.name,
    domain: body.domain ?? before.domain,
    widgetColor: resolveValue(body.widget_color, before.widgetColor, SITE_DEFAULTS.widget_color),
    widgetPosition: resolveValue<string>(
      body.widget_position,
      before.widgetPosition,
      SITE_DEFAULTS.widget_position,
    ),
    welcomeMessage: resolveValue(body.welcome_message, before.welcomeMessage, SITE_DEFAULTS.welcome_message),
    botName: resolveValue(body.bot_name, before.botName, SITE_DEFAULTS.bot_name),
    aiEnabled: resolveValue(body.ai_enabled, before.aiEnabled, SITE_DEFAULTS.ai_enabled),
    similarityThreshold: resolveValue(
      body.similarity_threshold,
      before.similarityThreshold,
      SITE_DEFAULTS.similarity_threshold,
    ),
    systemPrompt: resolveValue(body.system_prompt, before.systemPrompt, SITE_DEFAULTS.system_prompt),
    maxMessagesPerSession: resolveValue(
      body.settings?.max_messages_per_session,
      before.maxMessagesPerSession,
      SITE_DEFAULTS.settings.max_messages_per_session,
    ),
  };
}

function toApiSettings(site: SiteSettings) {
  return {
    name: site.name,
    domain: site.domain,
    widget_color: site.widgetColor,
    widget_position: site.widgetPosition,
    welcome_message: site.welcomeMessage,
    bot_name: site.botName,
    ai_enabled: site.aiEnabled,
    similarity_threshold: site.similarityThreshold,
    system_prompt: site.systemPrompt,
    settings: { max_messages_per_session: site.maxMessagesPerSession },
  };
}

function listChangedFields(before: SiteSettings, after: SiteSettings, body: Body): string[] {
  const fields = (Object.keys(SETTINGS_SELECT) as Array<keyof SiteSettings>).filter(
    (field) => before[field] !== after[field],
  );
  return body.ai_provider_api_key === undefined ? fields : [...fields, PROVIDER_KEY_FIELD];
}

function toProviderKeyColumns({ ai_provider_api_key: key }: Body) {
  if (key === undefined) return {};
  return {
    aiProviderKeySealed: key === null ? null : seal(key, "ai_provider_key"),
    aiProviderKeyLastFour: key === null ? null : key.slice(-4),
  };
}
