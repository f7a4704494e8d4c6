import { buildBrandPalette } from "@/server/core/brand-colour";
import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { rejectStaleChange } from "@/server/core/stale";
import { formatText } from "@/server/core/texts";
import { toIsoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { requireSignedReseller } from "@/server/domains/accounts/portals/service/access";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { toPublicPath, toPublicUrl } from "@/server/infrastructure/storage/served-files";
import type { Brand, getBrand, putBrand } from "../contract";

const BRAND_SELECT = {
  productName: true,
  color: true,
  logoPath: true,
  logoDarkPath: true,
  iconPath: true,
  supportEmail: true,
  supportPhone: true,
  updatedAt: true,
} as const satisfies Prisma.BrandSelect;

export async function readOwnBrand(ctx: Context<UserActor>): Promise<Output<typeof getBrand>> {
  await requireSignedReseller(ctx);
  return { success: true, brand: await findBrand(ctx, ctx.actor.id) };
}

export async function findBrand({ db }: Pick<DbAccess, "db">, userId: number): Promise<Brand | null> {
  const row = await db.brand.findUnique({ where: { userId }, select: BRAND_SELECT });
  const toUrl = (key: string | null) => toPublicUrl(key && toPublicPath(key));
  return (
    row && {
      product_name: row.productName,
      color: row.color,
      palette: row.color === null ? null : buildBrandPalette(row.color),
      logo_url: toUrl(row.logoPath),
      logo_dark_url: toUrl(row.logoDarkPath),
      icon_url: toUrl(row.iconPath),
      support_email: row.supportEmail,
      support_phone: row.supportPhone,
      updated_at: toIsoMicros(row.updatedAt),
    }
  );
}

export async function updateBrand(
  ctx: Context<UserActor>,
  { body }: Input<typeof putBrand>,
): Promise<Output<typeof putBrand>> {
  await requireSignedReseller(ctx);
  const userId = ctx.actor.id;
  return withLockedOwnAccount(ctx, async (tx) => {
    const storedBrand = await findBrand(tx, userId);
    const requestedSettings = mergeSettings(body, storedBrand);
    const { color } = requestedSettings;
    rejectStaleChange(body.expected, {
      current: storedBrand && mergeSettings(storedBrand, null),
      requested: requestedSettings,
    });
    const data = {
      productName: requestedSettings.product_name,
      supportEmail: requestedSettings.support_email,
      supportPhone: requestedSettings.support_phone,
      color,
      // Only the previous release reads it.
      palette: color ? buildBrandPalette(color) : Prisma.DbNull,
    };
    await tx.db.brand.upsert({
      where: { userId },
      create: { userId, ...data },
      update: data,
      select: { userId: true },
    });
    await audit(tx, { action: "brand.changed", object: { type: "User", id: userId }, details: { color } });
    const brand = (await findBrand(tx, userId))!;
    return { success: true as const, message: formatText(ctx.locale, "responses.brand_saved"), brand };
  });
}

type BrandSettings = Pick<
  Input<typeof putBrand>["body"],
  "product_name" | "color" | "support_email" | "support_phone"
>;

function mergeSettings(input: BrandSettings, storedBrand: Brand | null) {
  const pickSetting = (field: "color" | "support_email" | "support_phone") =>
    input[field] === undefined ? (storedBrand?.[field] ?? null) : input[field];
  return {
    product_name: input.product_name,
    color: pickSetting("color"),
    support_email: pickSetting("support_email"),
    support_phone: pickSetting("support_phone"),
  };
}

export async function deleteBrand(tx: DbAccess, userId: number): Promise<void> {
  const row = await tx.db.brand.findUnique({ where: { userId }, select: BRAND_SELECT });
  if (!row) return;
  await tx.db.brand.deleteMany({ where: { userId } });
  for (const key of [row.logoPath, row.logoDarkPath, row.iconPath])
    if (key) await addJob(tx, "remove_file", { key });
}
