import { Readable } from "node:stream";
import { foldText } from "@/server/core/fold";
import { toEmailKey } from "@/server/core/schema";
import { DAY, fromNow, HOUR } from "@/server/core/time";
import { buildUserSearchText as searchTextOfUser } from "@/server/domains/accounts/users/service/search";
import { CONNECTION_SEAL_PURPOSE } from "@/server/domains/sites/connections/service/provider-registry";
import { buildSiteSearchText } from "@/server/domains/sites/sites/service/search";
import { prisma } from "@/server/infrastructure/database/client";
import type { Prisma, SubscriptionStatus } from "@/server/infrastructure/database/generated/client";
import { hashPassword } from "@/server/infrastructure/secrets/password";
import { seal } from "@/server/infrastructure/secrets/seal";
import { createToken, hashSecret, randomText } from "@/server/infrastructure/secrets/tokens";
import { storage } from "@/server/infrastructure/storage/storage";

/* Factories for tests and demo data. Records are complete and unique. */

let recordCount = 0;
const createUniqueSuffix = () => `${Date.now().toString(36)}${(recordCount++).toString(36)}`;
const hashByPassword = new Map<string, Promise<string>>();

/** Hashing is slow on purpose: accounts with the same password share a hash. */
function hashSharedPassword(password: string): Promise<string> {
  let hash = hashByPassword.get(password);
  if (!hash) {
    hash = hashPassword(password);
    hashByPassword.set(password, hash);
  }
  return hash;
}

export type UserData = Partial<Omit<Prisma.UserUncheckedCreateInput, "emailKey">> & {
  password?: string;
};

/** Creates an active account with a confirmed address and the welcome credits. */
export async function makeUser({ password = "correct-horse", ...data }: UserData = {}) {
  const email = data.email ?? `person.${createUniqueSuffix()}@example.com`;
  const credits = data.credits ?? 1000;
  const { name = "Ayşe Kaya", phone = "+905321234567" } = data;
  return prisma().user.create({
    data: {
      emailVerifiedAt: new Date(),
      searchText: searchTextOfUser({ name, email, phone }),
      ...data,
      name,
      phone,
      email,
      credits,
      emailKey: toEmailKey(email),
      passwordHash: data.passwordHash ?? (await hashSharedPassword(password)),
      creditEntries: {
        create: { amount: credits, balance: credits, reason: "welcome", createdAt: data.createdAt },
      },
    },
  });
}

export async function makeToken(
  userId: number,
  data: {
    kind?: "sign_in" | "api_key";
    name?: string;
    abilities?: string[];
    ip?: string;
    createdAt?: Date;
    expiresAt?: Date;
    provenAt?: Date;
    lastUsedAt?: Date;
  } = {},
): Promise<string> {
  const token = createToken("dsu");
  await prisma().accessToken.create({
    data: {
      userId,
      kind: "sign_in",
      name: "sign-in",
      tokenHash: Uint8Array.from(hashSecret(token)),
      lastFour: token.slice(-4),
      expiresAt: fromNow(30 * DAY),
      ...data,
    },
  });
  return token;
}

/** Creates a reseller with a signed agreement. `listed` makes it searchable at sign-up. */
export async function makeReseller(
  userId: number,
  {
    code,
    signed = true,
    listed,
    since = new Date(),
  }: {
    code?: string;
    signed?: boolean;
    listed?: { displayName: string; city: string };
    since?: Date;
  } = {},
) {
  return prisma().reseller.create({
    data: {
      userId,
      referralCode: code ?? `R${createUniqueSuffix().toUpperCase()}`.slice(0, 16),
      ...(signed && { agreementVersion: "paper", agreementSignedAt: since }),
      ...(listed && {
        ...listed,
        displayFolded: foldText(listed.displayName),
        cityFolded: foldText(listed.city),
        joinedAt: since,
        publicListingAt: since,
      }),
    },
  });
}

export async function makeMailAccount(
  data: Partial<Prisma.MailAccountUncheckedCreateInput> & { port: number },
) {
  const name = createUniqueSuffix();
  return prisma().mailAccount.create({
    data: {
      fromName: `Sender ${name}`,
      fromAddress: `sender.${name}@example.com`,
      host: "127.0.0.1",
      secure: false,
      verifiedAt: new Date(),
      ...data,
    },
  });
}

/** Creates a subscription that ends in `days`, or ended before if negative. `slots` overrides the plan's. */
export async function makeSubscription(
  userId: number,
  {
    plan = "pro",
    slots,
    days = 365,
    status = "active",
    ...data
  }: {
    plan?: string;
    slots?: number;
    days?: number;
    status?: SubscriptionStatus;
  } & Partial<Prisma.SubscriptionUncheckedCreateInput> = {},
) {
  const { id, name, price, currency, monthlyCredits, siteSlots } =
    await prisma().subscriptionPlan.findUniqueOrThrow({ where: { slug: plan } });
  return prisma().subscription.create({
    data: {
      userId,
      planId: id,
      planName: name,
      priceMinor: price * 100,
      currency,
      monthlyCredits,
      status,
      siteSlots: slots ?? siteSlots,
      startsAt: days > 0 ? fromNow(-HOUR) : fromNow((days - 365) * DAY),
      endsAt: fromNow(days * DAY),
      ...data,
    },
  });
}

export async function makeLicence(
  userId: number,
  data: Partial<Prisma.SiteLicenceUncheckedCreateInput> = {},
) {
  return prisma().siteLicence.create({
    data: {
      priceTry: 3999,
      periodStart: new Date(),
      periodEnd: fromNow(365 * DAY),
      payBy: fromNow(14 * DAY),
      ...data,
      userId,
      siteId: data.siteId ?? (await makeSite(userId)).id,
    },
  });
}

/** Creates a payment with a receipt and a queued invoice, for a new subscription by default. */
export async function makePayment(userId: number, data: Partial<Prisma.PaymentUncheckedCreateInput> = {}) {
  const subscriptionId =
    data.subscriptionId === undefined ? (await makeSubscription(userId)).id : data.subscriptionId;
  return prisma().payment.create({
    data: {
      subscriptionId,
      amountMinor: 999_900,
      paidAt: new Date(),
      billToSealed: seal(JSON.stringify({ kind: "person", title: "Ayşe Kaya" }), "bill_to"),
      receiptKey: `receipts/${createUniqueSuffix()}.pdf`,
      document: {
        create: {
          state: "queued",
          grossMinor: 999_900,
          netMinor: 833_250,
          vatMinor: 166_650,
          vatRate: 20,
          deadlineAt: fromNow(7 * DAY),
        },
      },
      ...data,
      userId,
    },
  });
}

type SiteData = Partial<
  Omit<Prisma.SiteUncheckedCreateInput, "userId" | "apiKeyHash" | "apiKeySealed" | "apiKeyLastFour">
>;

export async function makeSite(userId: number, data: SiteData = {}) {
  const key = createToken("dsk");
  const siteFields = { name: "Kaya Kahve", domain: `site-${createUniqueSuffix()}.example.com`, ...data };
  return prisma().site.create({
    data: {
      botName: "Ada",
      searchText: buildSiteSearchText(siteFields),
      ...siteFields,
      ...(siteFields.isActive === false && {
        suspendedReason: siteFields.suspendedReason ?? "owner",
        suspendedAt: siteFields.suspendedAt ?? siteFields.updatedAt,
      }),
      userId,
      apiKeyHash: Uint8Array.from(hashSecret(key)),
      apiKeySealed: seal(key, "widget_key"),
      apiKeyLastFour: key.slice(-4),
    },
  });
}

type MediaData = Partial<Omit<Prisma.MediaFileUncheckedCreateInput, "userId" | "fileKey" | "size">> & {
  bytes?: Buffer;
  preview?: Buffer;
};

/** Creates a stored file in a library and counts its usage; a short PDF by default. */
export async function makeMedia(userId: number, { bytes, preview, ...data }: MediaData = {}) {
  const content = bytes ?? Buffer.from("%PDF-1.4\n%%EOF\n");
  const name = data.name ?? `belge-${createUniqueSuffix()}.pdf`;
  const fileId = `0f/${randomText(24)}`;
  const [fileKey, previewKey] = [
    `media/files/${fileId}.${name.split(".").at(-1)}`,
    `media/previews/${fileId}.webp`,
  ];
  await storage().write(fileKey, Readable.from([content]));
  if (preview) await storage().write(previewKey, Readable.from([preview]));
  const usage = { bytes: content.length, files: 1 };
  await prisma().mediaUsage.upsert({
    where: { userId },
    create: { userId, ...usage },
    update: { bytes: { increment: usage.bytes }, files: { increment: 1 } },
  });
  return prisma().mediaFile.create({
    data: {
      uploadedById: userId,
      kind: "document",
      mimeType: "application/pdf",
      ...data,
      userId,
      name,
      nameFolded: foldText(name),
      size: content.length,
      fileKey,
      previewKey: preview ? previewKey : null,
    },
  });
}

export async function makeConnection(
  userId: number,
  {
    secret = `${100_000_000 + recordCount++}:${"s".repeat(35)}`,
    siteIds = [],
    ...data
  }: Partial<Prisma.ConnectionUncheckedCreateInput> & { secret?: string; siteIds?: number[] } = {},
) {
  return prisma().connection.create({
    data: {
      channel: "telegram",
      connectionType: "bot",
      label: `@bot_${createUniqueSuffix()}`,
      remoteKey: secret.split(":")[0]!,
      secretSealed: seal(secret, CONNECTION_SEAL_PURPOSE),
      secretLastFour: secret.slice(-4),
      ...data,
      userId,
      sites: { create: siteIds.map((siteId) => ({ siteId })) },
    },
  });
}
