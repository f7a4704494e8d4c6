import type { UserActor } from "@/server/core/context";
import { refuse } from "@/server/core/errors";
import type { Work } from "@/server/infrastructure/database/transaction";
import { mayManageKeys, type SiteLineage } from "../policy";

interface SiteWithKey extends SiteLineage {
  api_key_sealed: Buffer;
  api_key_last_four: string;
}

/** The site, when the caller may manage its keys and accounts; 404 when there is none, 403 when he may not. */
export async function requireManageable(
  { sql }: Pick<Work, "sql">,
  { scope }: UserActor,
  siteId: number,
): Promise<SiteWithKey> {
  const [site] = await sql<SiteWithKey>`
    select s.id, s.user_id, s.api_key_sealed, s.api_key_last_four, owner.parent_user_id as owner_parent_id,
           owner.reseller_id as owner_reseller_id, parent.reseller_id as parent_reseller_id
      from sites s join users owner on owner.id = s.user_id left join users parent on parent.id = owner.parent_user_id
     where s.id = ${siteId}`;
  if (!site) throw refuse("record_not_found", { params: { model: "Site", id: siteId } });
  if (!mayManageKeys(scope, site)) throw refuse("forbidden");
  return site;
}
