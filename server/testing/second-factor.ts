import { Secret } from "otpauth";
import { makeRecoveryCodes } from "@/server/domains/access/two-factor/service/recovery";
import { authenticator, TOTP_PURPOSE } from "@/server/domains/access/two-factor/service/verify";
import { prisma } from "@/server/infrastructure/database/client";
import { outside } from "@/server/infrastructure/database/transaction";
import { seal } from "@/server/infrastructure/secrets/seal";

/** An authenticator app in software. */
export interface App {
  secret: string;
  /** The value of a step: 0 is now, -1 the previous one. */
  code(step?: number): string;
}

/** Returns an app with the given seed. */
function appOf(secret: string): App {
  return {
    secret,
    code: (step = 0) => authenticator(secret).generate({ timestamp: Date.now() + step * 30_000 }),
  };
}

/** Gives an account an authenticator app and recovery codes. */
export async function makeTotp(
  userId: number,
  secret = new Secret({ size: 20 }).base32,
): Promise<App & { recoveryCodes: string[] }> {
  await prisma().factor.create({
    data: { userId, kind: "totp", secretSealed: seal(secret, TOTP_PURPOSE), confirmedAt: new Date() },
  });
  const recoveryCodes = await makeRecoveryCodes(outside(), userId);
  return { ...appOf(secret), recoveryCodes };
}

/** Gives an account codes by mail. */
export async function makeEmailFactor(userId: number): Promise<void> {
  await prisma().factor.create({ data: { userId, kind: "email", confirmedAt: new Date() } });
}

/** Returns a code that is none of the right ones. */
export function wrongCode(...right: string[]): string {
  return ["000000", "111111", "222222", "333333", "444444"].find((code) => !right.includes(code))!;
}
