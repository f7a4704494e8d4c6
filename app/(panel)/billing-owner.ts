import { getPanelCaller } from "@/server/transports/trpc/caller";
import type { Profile } from "./viewer";

/** Returns who manages billing for a sub-user; null for accounts that do it themselves. */
export async function findBillingOwner({ parent_user_id: parentId }: Profile["user"]) {
  if (parentId === null) return null;
  const { api } = await getPanelCaller();
  return (await api.team.owner()).owner;
}
