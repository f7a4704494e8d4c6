import type { Context, UserActor } from "@/server/core/context";
import { type Input, RawJson } from "@/server/core/contract";
import { invalidCounted } from "@/server/core/errors";
import { requireExpected } from "@/server/core/stale";
import { text } from "@/server/core/texts";
import { audit, changesOf, secretChanged } from "@/server/domains/accounts/audit/service/audit";
import { addDomain, findRenameDebt } from "@/server/domains/sites/slots/service/licences";
import { isUniqueViolation } from "@/server/infrastructure/database/failure";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { seal } from "@/server/infrastructure/secrets/seal";
import type { updateSite } from "../contract";
import { NEW_SITE } from "../policy";
import { findSite } from "../statements";
import { licenceOverdue } from "./billing";
import { requireNotHeld, withSite } from "./manageable";
import { searchTextOf } from "./search";

type Body = Input<typeof updateSite>["body"];

const SETTINGS = {
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
/** The provider key in the audit log; it has no column of that name. */
const KEY_FIELD = "aiProviderKey";
type Settings = Prisma.SiteGetPayload<{ select: typeof SETTINGS }>;

/**
 * Changes the named fields of a site. Throws 422 for a taken domain, `stale`, and for a new domain
 * `site_held` or `licence_overdue`: with its old domain free, a suspended or unpaid site could be created
 * again.
 */
export async function update(
  ctx: Context<UserActor>,
  { params, body }: Input<typeof updateSite>,
): Promise<RawJson> {
  const { id } = params;
  return withSite(
    ctx,
    id,
    async (tx, site) => {
      const before = await tx.db.site.findUniqueOrThrow({ where: { id }, select: SETTINGS });
      const after = applyChanges(before, body);
      requireExpected(body.expected, { current: toApiSettings(before), wanted: toApiSettings(after) });
      const isRenamed = after.domain !== before.domain;
      if (isRenamed) requireNotHeld(ctx.actor, site);
      const fields = namesOf(before, after, body);
      if (fields.length > 0) {
        const data = { ...after, ...providerKey(body), searchText: searchTextOf(after) };
        await tx.db.site.update({ where: { id }, data, select: { id: true } });
        if (isRenamed) await recordNewDomain(tx, id, after.domain);
        const object = { type: "Site" as const, id };
        const changes = changesOf(before, after);
        await audit(tx, {
          action: "site.changed",
          object,
          details: { fields: fields.join(" ") },
          changes: fields.includes(KEY_FIELD) ? secretChanged(changes, KEY_FIELD) : changes,
        });
      }
      const [saved] = await findSite(tx, { siteId: id });
      const message = JSON.stringify(text(ctx.locale, "responses.site_saved"));
      return new RawJson(`{"success":true,"message":${message},"data":${saved!.body}}`);
    },
    { slots: body.domain !== undefined },
  ).catch((error: unknown) => {
    throw isUniqueViolation(error, "domain") ? invalidCounted("domain", "domain_taken") : error;
  });
}

/** Throws `licence_overdue`. Runs after the update, so that a taken domain is reported first. */
async function recordNewDomain(tx: Context<UserActor>, siteId: number, domain: string): Promise<void> {
  const debt = tx.actor.role === "admin" ? undefined : await findRenameDebt(tx, { siteId, domain });
  if (debt) throw licenceOverdue(debt);
  await addDomain(tx, siteId, domain);
}

/** Omitted fields stay; null restores the default. */
function applyChanges(before: Settings, body: Body): Settings {
  const or = <V>(value: V | null | undefined, was: V, initial: V) =>
    value === undefined ? was : (value ?? initial);
  return {
    name: body.name ?? before.name,
    domain: body.domain ?? before.domain,
    widgetColor: or(body.widget_color, before.widgetColor, NEW_SITE.widget_color),
    widgetPosition: or<string>(body.widget_position, before.widgetPosition, NEW_SITE.widget_position),
    welcomeMessage: or(body.welcome_message, before.welcomeMessage, NEW_SITE.welcome_message),
    botName: or(body.bot_name, before.botName, NEW_SITE.bot_name),
    aiEnabled: or(body.ai_enabled, before.aiEnabled, NEW_SITE.ai_enabled),
    similarityThreshold: or(
      body.similarity_threshold,
      before.similarityThreshold,
      NEW_SITE.similarity_threshold,
    ),
    systemPrompt: or(body.system_prompt, before.systemPrompt, NEW_SITE.system_prompt),
    maxMessagesPerSession: or(
      body.settings?.max_messages_per_session,
      before.maxMessagesPerSession,
      NEW_SITE.settings.max_messages_per_session,
    ),
  };
}

function toApiSettings(site: Settings) {
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

function namesOf(before: Settings, after: Settings, body: Body): string[] {
  const fields = (Object.keys(SETTINGS) as Array<keyof Settings>).filter(
    (field) => before[field] !== after[field],
  );
  return body.ai_provider_api_key === undefined ? fields : [...fields, KEY_FIELD];
}

function providerKey({ ai_provider_api_key: key }: Body) {
  if (key === undefined) return {};
  return {
    aiProviderKeySealed: key === null ? null : seal(key, "ai_provider_key"),
    aiProviderKeyLastFour: key === null ? null : key.slice(-4),
  };
}
