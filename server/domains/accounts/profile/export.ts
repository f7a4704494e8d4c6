import type { ExportReader } from "@/server/core/domain";
import type { Prisma } from "@/server/infrastructure/database/generated/client";

const PROFILE_COLUMNS = {
  id: true,
  name: true,
  email: true,
  pendingEmail: true,
  phone: true,
  phoneVerifiedAt: true,
  role: true,
  isActive: true,
  credits: true,
  allowedModules: true,
  isAgentOnly: true,
  assignedSiteId: true,
  resellerId: true,
  parentUserId: true,
  locale: true,
  signUpLocale: true,
  timezone: true,
  dateFormat: true,
  hourCycle: true,
  weekStart: true,
  appName: true,
  appLogoUrl: true,
  appPrimaryColor: true,
  provider: true,
  avatarUrl: true,
  passwordHash: true,
  emailVerifiedAt: true,
  enrolBy: true,
  createdAt: true,
  updatedAt: true,
} as const satisfies Prisma.UserSelect;

export const archiveReaders = {
  profile: async (db, id) => {
    const rows = await db.user.findMany({ where: { id }, select: PROFILE_COLUMNS });
    return rows.map(({ passwordHash, emailVerifiedAt, createdAt, updatedAt, ...row }) => ({
      ...row,
      hasPassword: passwordHash !== null,
      emailVerifiedAt,
      createdAt,
      updatedAt,
    }));
  },
} as const satisfies Record<string, ExportReader>;
