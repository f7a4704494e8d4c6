import { refuse } from "@/server/core/errors";
import type { SettingValue } from "@/server/core/settings";
import { resellerAt } from "@/server/domains/accounts/portals/service/access";
import { outside, type Work } from "@/server/infrastructure/database/transaction";
import { setting, settingHeld } from "@/server/infrastructure/settings";

type SignUps = SettingValue<"sign_up">;

/** `invited` is true at a reseller's portal, which counts as an invitation. Cached for ten seconds. */
export async function signUpsAt(host: string | null): Promise<{ mode: SignUps; invited: boolean }> {
  const mode = await setting(outside(), "sign_up");
  const invited = mode === "invitation" && (await resellerAt({ ...outside(), host })) !== null;
  return { mode, invited };
}

/** Checks before expensive work. Throws `sign_up_closed`, `sign_up_by_invitation`. */
export async function foreseeSignUp(resellerId: number | null): Promise<void> {
  requireMode(await setting(outside(), "sign_up"), resellerId);
}

/** Like {@link foreseeSignUp}, with the setting locked until the transaction ends. */
export async function requireSignUp(tx: Work, resellerId: number | null): Promise<void> {
  requireMode(await settingHeld(tx, "sign_up"), resellerId);
}

function requireMode(mode: SignUps, resellerId: number | null): void {
  if (mode === "closed") throw refuse("sign_up_closed");
  if (mode === "invitation" && resellerId === null) throw refuse("sign_up_by_invitation");
}
