import type { Prisma } from "@/server/infrastructure/database/generated/client";

/** The columns that a change of one's own data reads. */
export const ACCOUNT = {
  id: true,
  name: true,
  email: true,
  emailKey: true,
  locale: true,
  phone: true,
  timezone: true,
  emailVerifiedAt: true,
  pendingEmail: true,
  passwordHash: true,
} as const satisfies Prisma.UserSelect;

export type Account = Prisma.UserGetPayload<{ select: typeof ACCOUNT }>;
