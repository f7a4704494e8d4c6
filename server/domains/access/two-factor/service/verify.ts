import { Secret, TOTP } from "otpauth";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { unseal } from "@/server/infrastructure/secrets/seal";
import { codeDigest } from "@/server/infrastructure/secrets/tokens";
import { consumeTotpStep, deleteSentCode, findSeed, recordFactorUse } from "../statements";

export const TOTP_PURPOSE = "totp";
const PERIOD = 30;
/** Accepted steps before and after the current one, because clocks differ. */
const WINDOW = 1;

export function authenticator(secret: string, label = "", issuer = ""): TOTP {
  return new TOTP({
    secret: Secret.fromBase32(secret),
    label,
    // A colon separates issuer and account in the URL.
    issuer: issuer.replace(/[:\uFF1A\uA789\u2236\s]+/g, " ").trim(),
    period: PERIOD,
    digits: 6,
    algorithm: "SHA1",
  });
}

/** Uses the time step up, so that each code works once. `confirm` activates the factor. */
export async function consumeTotp(
  work: Pick<DbAccess, "sql">,
  { userId, code, confirm = false }: { userId: number; code: string; confirm?: boolean },
): Promise<boolean> {
  const [factor] = await findSeed(work, { userId, confirmed: !confirm });
  if (!factor) return false;
  const totp = authenticator(unseal(factor.secretSealed, TOTP_PURPOSE));
  const delta = totp.validate({ token: code, window: WINDOW });
  if (delta === null) return false;
  const step = Math.floor(Date.now() / 1000 / PERIOD) + delta;
  const rows = await consumeTotpStep(work, { id: factor.id, step });
  return rows.length === 1;
}

export async function consumeSentCode(
  work: Pick<DbAccess, "sql">,
  {
    interimId,
    userId,
    kind,
    code,
  }: { interimId: number; userId: number; kind: "email" | "sms"; code: string },
): Promise<boolean> {
  const codeHash = sentCodeDigest(code, interimId);
  const rows = await deleteSentCode(work, { interimId, kind, codeHash });
  if (rows.length === 0) return false;
  await recordFactorUse(work, { userId, kind });
  return true;
}

export function sentCodeDigest(code: string, interimId: number): Buffer<ArrayBuffer> {
  return codeDigest(code, `factor:${interimId}`);
}
