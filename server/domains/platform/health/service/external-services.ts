import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { type ExternalService, ExternalServiceError, getRegisteredDomains } from "@/server/core/domain";
import { createError } from "@/server/core/errors";
import { log } from "@/server/core/log";
import { formatText, hasText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import type { testParty } from "../contract";

function findConfiguredServices(): Array<[string, ExternalService]> {
  return getRegisteredDomains().flatMap((each) =>
    Object.entries(each.externalServices ?? {}).filter(([, service]) => service.isConfigured()),
  );
}

export function listConfiguredServices(): Array<{ name: string; label: string }> {
  return findConfiguredServices().map(([name, { label }]) => ({ name, label }));
}

/** Tests an external service; a failure is part of the result. Throws `party_not_set`. */
export async function testExternalService(
  ctx: Context<UserActor>,
  { body: { party: name } }: Input<typeof testParty>,
): Promise<Output<typeof testParty>> {
  requireAdministrator(ctx.actor);
  const service = findConfiguredServices().find(([key]) => key === name)?.[1];
  if (!service) throw createError("party_not_set");
  const failure = await service.test(ctx).then(
    () => undefined,
    (error: unknown) =>
      error instanceof ExternalServiceError
        ? error
        : new ExternalServiceError("unexpected", { cause: error }),
  );
  // Only the redacted log gets the service's message.
  if (failure) log.warn({ event: "health.party_failed", party: name, cause: failure });
  const problem = failure?.problem ?? null;
  await withTransaction(ctx, (tx) =>
    audit(tx, { action: "health.party_tested", details: { party: name, problem } }),
  );
  const fix = failure && getFixText(ctx, service, failure);
  const message = formatText(ctx.locale, `responses.${failure ? "party_failed" : "party_works"}`, {
    name: service.label,
  });
  return { success: true, message, ok: !failure, problem, fix: fix ?? null };
}

function getFixText(
  { locale }: Context,
  { label, settings }: ExternalService,
  { problem, options }: ExternalServiceError,
): string {
  const key = `health.fixes.${options.fix}`;
  const fixKey = options.fix && hasText(locale, key) ? key : `health.fixes.party_${problem}`;
  return formatText(locale, fixKey, { name: label, settings });
}
