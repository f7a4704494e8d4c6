import { Secret, TOTP } from "otpauth";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { unseal } from "@/server/infrastructure/secrets/seal";
import { hashCode } from "@/server/infrastructure/secrets/tokens";
import { consumeTotpStep, deleteSentCode, findTotpSecret, recordFactorUse } from "../statements";

export const TOTP_SEAL_PURPOSE = "totp";
const TOTP_STEP_SECONDS = 30;
/** Accepted steps before and after the current one, because clocks differ. */
const TOTP_WINDOW_STEPS = 1;

export function createTotp(secret: string, label = "", issuer = ""): TOTP {
  return new TOTP({
    secret: Secret.fromBase32(secret),
    label,
    // Remove colons: one separates issuer and account in the URL.
    issuer: issuer.replace(/[:\uFF1A\uA789\u2236\s]+/g, " ").trim(),
    period: TOTP_STEP_SECONDS,
    digits: 6,
    algorithm: "SHA1",
  });
}

/** Marks the time step as used, so that a code works once. `isActivation`: the code confirms a new factor. */
export async function consumeTotp(
  access: Pick<DbAccess, "sql">,
  { userId, code, isActivation = false }: { userId: number; code: string; isActivation?: boolean },
): Promise<boolean> {
  const [factor] = await findTotpSecret(access, { userId, isConfirmed: !isActivation });
  if (!factor) return false;
  const totp = createTotp(unseal(factor.secretSealed, TOTP_SEAL_PURPOSE));
  const stepOffset = totp.validate({ token: code, window: TOTP_WINDOW_STEPS });
  if (stepOffset === null) return false;
  const step = Math.floor(Date.now() / 1000 / TOTP_STEP_SECONDS) + stepOffset;
  const rows = await consumeTotpStep(access, { id: factor.id, step });
  return rows.length === 1;
}

export async function consumeSentCode(
  access: Pick<DbAccess, "sql">,
  {
    interimId,
    userId,
    kind,
    code,
  }: { interimId: number; userId: number; kind: "email" | "sms"; code: string },
): Promise<boolean> {
  const codeHash = digestSentCode(code, interimId);
  const rows = await deleteSentCode(access, { interimId, kind, codeHash });
  if (rows.length === 0) return false;
  await recordFactorUse(access, { userId, kind });
  return true;
}

export function digestSentCode(code: string, interimId: number): Buffer<ArrayBuffer> {
  return hashCode(code, `factor:${interimId}`);
}
