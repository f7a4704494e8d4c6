import { refuse } from "@/server/core/errors";
import type { SettingValue } from "@/server/core/settings";
import { resellerAt } from "@/server/domains/accounts/portals/service/access";
import { outside, type Work } from "@/server/infrastructure/database/transaction";
import { setting, settingHeld } from "@/server/infrastructure/settings";

type SignUps = SettingValue<"sign_up">;

/** Who may sign up, and whether the host invites because it is a reseller's portal. At most ten seconds old. */
export async function signUpsAt(host: string | null): Promise<{ mode: SignUps; invited: boolean }> {
  const mode = await setting(outside(), "sign_up");
  const invited = mode === "invitation" && (await resellerAt({ ...outside(), host })) !== null;
  return { mode, invited };
}

/**
 * Refuses a sign-up that is foreseeably none, before it costs anything; `resellerId` is whose customer it makes. Throws
 * `sign_up_closed`, `sign_up_by_invitation`.
 */
export async function foreseeSignUp(resellerId: number | null): Promise<void> {
  judge(await setting(outside(), "sign_up"), resellerId);
}

/** The same in the transaction that opens the account, and for its whole length. */
export async function requireSignUp(tx: Work, resellerId: number | null): Promise<void> {
  judge(await settingHeld(tx, "sign_up"), resellerId);
}

function judge(mode: SignUps, resellerId: number | null): void {
  if (mode === "closed") throw refuse("sign_up_closed");
  if (mode === "invitation" && resellerId === null) throw refuse("sign_up_by_invitation");
}
