import { type BrandPalette, brandPalette } from "@/server/core/brand-colour";
import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { requireExpected } from "@/server/core/stale";
import { text } from "@/server/core/texts";
import { isoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { requireReseller } from "@/server/domains/accounts/portals/service/access";
import { withOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { Prisma } from "@/server/infrastructure/database/generated/client";
import type { Work } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { publicPath, publicUrl } from "@/server/infrastructure/storage/public";
import type { Brand, getBrand, putBrand } from "../contract";

const BRAND = {
  productName: true,
  color: true,
  palette: true,
  logoPath: true,
  logoDarkPath: true,
  iconPath: true,
  supportEmail: true,
  supportPhone: true,
  updatedAt: true,
} as const satisfies Prisma.BrandSelect;

export async function get(ctx: Context<UserActor>): Promise<Output<typeof getBrand>> {
  await requireReseller(ctx);
  return { success: true, brand: await brandOf(ctx, ctx.actor.id) };
}

export async function brandOf({ db }: Pick<Work, "db">, userId: number): Promise<Brand | null> {
  const row = await db.brand.findUnique({ where: { userId }, select: BRAND });
  const address = (key: string | null) => publicUrl(key && publicPath(key));
  return (
    row && {
      product_name: row.productName,
      color: row.color,
      palette: row.palette as unknown as BrandPalette | null,
      logo_url: address(row.logoPath),
      logo_dark_url: address(row.logoDarkPath),
      icon_url: address(row.iconPath),
      support_email: row.supportEmail,
      support_phone: row.supportPhone,
      updated_at: isoMicros(row.updatedAt),
    }
  );
}

/** Throws `forbidden`, `agreement_unsigned` and `stale`. */
export async function update(
  ctx: Context<UserActor>,
  { body }: Input<typeof putBrand>,
): Promise<Output<typeof putBrand>> {
  await requireReseller(ctx);
  const userId = ctx.actor.id;
  return withOwnAccount(ctx, async (tx) => {
    const before = await brandOf(tx, userId);
    const wanted = wantedOf(body, before);
    const { color } = wanted;
    requireExpected(body.expected, { current: before && wantedOf(before, null), wanted });
    const look = {
      productName: wanted.product_name,
      supportEmail: wanted.support_email,
      supportPhone: wanted.support_phone,
      color,
      palette: color ? brandPalette(color) : Prisma.DbNull,
    };
    await tx.db.brand.upsert({
      where: { userId },
      create: { userId, ...look },
      update: look,
      select: { userId: true },
    });
    await audit(tx, { action: "brand.changed", object: { type: "User", id: userId }, details: { color } });
    const brand = (await brandOf(tx, userId))!;
    return { success: true as const, message: text(ctx.locale, "responses.brand_saved"), brand };
  });
}

type Named = Pick<
  Input<typeof putBrand>["body"],
  "product_name" | "color" | "support_email" | "support_phone"
>;

/** Values after the change; omitted fields keep their value. */
function wantedOf(given: Named, before: Brand | null) {
  const kept = (field: "color" | "support_email" | "support_phone") =>
    given[field] === undefined ? (before?.[field] ?? null) : given[field];
  return {
    product_name: given.product_name,
    color: kept("color"),
    support_email: kept("support_email"),
    support_phone: kept("support_phone"),
  };
}

/** Removes the brand of a former reseller; jobs delete its pictures. */
export async function endBrand(tx: Work, userId: number): Promise<void> {
  const row = await tx.db.brand.findUnique({ where: { userId }, select: BRAND });
  if (!row) return;
  await tx.db.brand.deleteMany({ where: { userId } });
  for (const key of [row.logoPath, row.logoDarkPath, row.iconPath])
    if (key) await addJob(tx, "remove_file", { key });
}
