import type { MailFailure } from "@/server/core/errors";
import { MINUTE, toIsoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { MAIL_ACCOUNT_PAUSE_MINUTES } from "@/server/infrastructure/mail/senders";
import type { MailAccount } from "./contract";

export const MAIL_ACCOUNT_SELECT = {
  id: true,
  fromName: true,
  fromAddress: true,
  host: true,
  port: true,
  secure: true,
  username: true,
  passwordSealed: true,
  verifiedAt: true,
  failedAt: true,
  error: true,
} as const satisfies Prisma.MailAccountSelect;
export type MailAccountRow = Prisma.MailAccountGetPayload<{ select: typeof MAIL_ACCOUNT_SELECT }>;

export function toMailAccount(row: MailAccountRow): MailAccount {
  const pausedUntil = row.failedAt && new Date(row.failedAt.getTime() + MAIL_ACCOUNT_PAUSE_MINUTES * MINUTE);
  return {
    from_name: row.fromName,
    from_address: row.fromAddress,
    host: row.host,
    port: row.port,
    secure: row.secure,
    username: row.username,
    has_password: row.passwordSealed !== null,
    verified_at: toIsoMicros(row.verifiedAt),
    failed_at: toIsoMicros(row.failedAt),
    error: row.error as MailFailure | null,
    paused_until: pausedUntil && pausedUntil > new Date() ? toIsoMicros(pausedUntil) : null,
  };
}
