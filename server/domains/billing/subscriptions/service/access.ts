import type { Context, UserActor } from "@/server/core/context";
import { AppError, createError } from "@/server/core/errors";

/** Refuses agents, who cannot see billing, and names the owner as contact. */
export async function requireBillingOwner({ db, actor }: Context<UserActor>): Promise<void> {
  if (!actor.scope.isAgent) return;
  const contactSelect = { select: { name: true, email: true } };
  const agent = await db.user.findUnique({
    where: { id: actor.id },
    select: { parent: contactSelect, assignedSite: { select: { owner: contactSelect } } },
  });
  const contact = agent?.parent ?? agent?.assignedSite?.owner;
  throw contact ? new AppError("billing_of_owner", { contact }) : createError("forbidden");
}

/** Refuses agents and administrators, who order nothing for themselves. */
export async function requireCustomer(ctx: Context<UserActor>): Promise<void> {
  await requireBillingOwner(ctx);
  if (ctx.actor.role === "admin") throw createError("forbidden");
}
