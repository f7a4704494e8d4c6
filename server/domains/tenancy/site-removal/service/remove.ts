import { domainToUnicode } from "node:url";
import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { invalidField } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { requireNotSuspendedByAdmin, withLockedSite } from "@/server/domains/sites/sites/service/manageable";
import type { deleteSite } from "../contract";
import { matchesDomain } from "../policy";
import { retireSites } from "./retire";

export async function removeSite(
  ctx: Context<UserActor>,
  { params, body }: Input<typeof deleteSite>,
): Promise<Output<typeof deleteSite>> {
  return withLockedSite(
    ctx,
    params.id,
    async (tx, site) => {
      requireNotSuspendedByAdmin(ctx.actor, site);
      const { id, userId, name, domain } = site;
      const spellings = { domain, unicodeDomain: domainToUnicode(domain) };
      if (!matchesDomain(body.confirmation, spellings))
        throw invalidField("confirmation", "domain_confirmed");
      await requireProof(tx);
      await retireSites(tx, [id], "site_deleted");
      await audit(tx, { action: "site.deleted", object: { type: "Site", id } });
      if (userId !== ctx.actor.id)
        await notifyOwner(tx, userId, "site_deleted", { path: "/sites", params: { site: name, domain } });
      return { success: true as const, message: formatText(ctx.locale, "responses.site_deleted") };
    },
    // Also locks the subscriptions and licences, which the deletion frees.
    { locksSlots: true },
  );
}
