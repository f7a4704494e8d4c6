import type { Input } from "@/server/core/contract";
import { MAIL_LOCALE_SELECT } from "@/server/core/locale";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { putProfile } from "./contract";

export const ACCOUNT_SELECT = {
  id: true,
  name: true,
  email: true,
  emailKey: true,
  ...MAIL_LOCALE_SELECT,
  phone: true,
  timezone: true,
  emailVerifiedAt: true,
  pendingEmail: true,
  passwordHash: true,
} as const satisfies Prisma.UserSelect;

export type Account = Prisma.UserGetPayload<{ select: typeof ACCOUNT_SELECT }>;

/** Input of `putUser` and `putProfile`, whose field names differ. Null leaves a value unchanged. */
export interface AccountChanges {
  name?: string | null;
  email?: string | null;
  phone?: string;
  /** Null deletes it. */
  timezone?: string | null;
  preferences?: { dateFormat?: string; hourCycle?: string; weekStart?: string };
  currentPassword?: string | null;
  password?: string | null;
  passwordField: "password" | "new_password";
  expected?: Input<typeof putProfile>["body"]["expected"];
}
