import { Secret } from "otpauth";
import { createTotp, TOTP_SEAL_PURPOSE } from "@/server/domains/access/two-factor/service/consume-code";
import { renewRecoveryCodeSet } from "@/server/domains/access/two-factor/service/recovery";
import { prisma } from "@/server/infrastructure/database/client";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";

export interface TotpApp {
  secret: string;
  /** Returns the code of a time step: 0 is the current, -1 the previous one. */
  getCode(step?: number): string;
}

function createTotpApp(secret: string): TotpApp {
  return {
    secret,
    getCode: (step = 0) => createTotp(secret).generate({ timestamp: Date.now() + step * 30_000 }),
  };
}

export async function makeTotpFactor(
  userId: number,
  secret = new Secret({ size: 20 }).base32,
): Promise<TotpApp & { recoveryCodes: string[] }> {
  await prisma().factor.create({
    data: { userId, kind: "totp", secretSealed: seal(secret, TOTP_SEAL_PURPOSE), confirmedAt: new Date() },
  });
  const recoveryCodes = await renewRecoveryCodeSet(withoutTransaction(), userId);
  return { ...createTotpApp(secret), recoveryCodes };
}

export async function makeEmailFactor(userId: number): Promise<void> {
  await prisma().factor.create({ data: { userId, kind: "email", confirmedAt: new Date() } });
}

export function getWrongCode(...validCodes: string[]): string {
  return ["000000", "111111", "222222", "333333", "444444"].find((code) => !validCodes.includes(code))!;
}
