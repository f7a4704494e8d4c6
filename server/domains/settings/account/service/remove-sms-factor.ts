import type { Context, UserActor } from "@/server/core/context";
import { listActiveFactors } from "@/server/domains/access/two-factor/service/factors";
import { deleteFactor } from "@/server/domains/access/two-factor/service/set-up";

/** Removes the SMS factor: it belongs to the replaced number. */
export async function removeSmsFactor(tx: Context<UserActor>): Promise<void> {
  const { id } = tx.actor;
  const hasSms = (await listActiveFactors(tx, id)).some(({ kind }) => kind === "sms");
  if (hasSms) await deleteFactor(tx, id, "sms");
}
