import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { emitWebhookEvent } from "@/server/domains/accounts/webhooks/service/events";
import type { SuspensionActor } from "@/server/infrastructure/database/generated/client";
import type { suspendSite } from "../contract";
import { withLockedSite } from "./manageable";
import { getSiteState, toStateOutput, updateSiteState } from "./state";

function getSuspensionActor(
  { id, role }: UserActor,
  { userId, owner }: { userId: number; owner: { parentUserId: number | null } },
): SuspensionActor {
  if (id === userId) return "owner";
  if (role === "admin") return "administrator";
  return owner.parentUserId === id ? "parent" : "reseller";
}

/** Suspends a site. Only an administrator's suspension replaces the reason of a suspended one. */
export async function suspendManagedSite(
  ctx: Context<UserActor>,
  { params }: Input<typeof suspendSite>,
): Promise<Output<typeof suspendSite>> {
  return withLockedSite(ctx, params.id, async (tx, site) => {
    const isOtherOwner = site.userId !== ctx.actor.id;
    if (isOtherOwner && ctx.actor.role === "admin") await requireProof(tx);
    const reason =
      isOtherOwner && ctx.actor.role === "admin" ? ("administrator" as const) : ("owner" as const);
    let state = await getSiteState(tx, site.id);
    const replacesReason = reason === "administrator" && state.suspendedReason !== reason;
    if (state.isActive || replacesReason) {
      state = await updateSiteState(tx, site.id, {
        isActive: false,
        suspendedReason: reason,
        suspendedBy: getSuspensionActor(ctx.actor, site),
      });
      await audit(tx, {
        action: "site.suspended",
        object: { type: "Site", id: site.id },
        details: { reason },
      });
      await emitWebhookEvent(tx, {
        type: "site.suspended",
        ownerId: site.userId,
        data: { id: site.id, domain: site.domain, user_id: site.userId, suspended_reason: reason },
      });
      if (isOtherOwner)
        await notifyOwner(tx, site.userId, "site_suspended", {
          path: `/sites/${site.id}`,
          params: { site: site.name, by: reason },
        });
    }
    return {
      success: true as const,
      message: formatText(ctx.locale, "responses.site_suspended"),
      site: toStateOutput(state),
    };
  });
}
