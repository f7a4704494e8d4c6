import { getPanelCaller } from "@/server/transports/trpc/caller";
import type { Profile } from "./viewer";

/** Returns the account above a sub-user; null for other accounts. */
export async function findOwner({ parent_user_id: parentId }: Profile["user"]) {
  if (parentId === null) return null;
  const { api } = await getPanelCaller();
  return (await api.team.owner()).owner;
}
