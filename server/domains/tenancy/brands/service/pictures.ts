import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { ulid } from "ulid";
import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output, WithFile } from "@/server/core/contract";
import { createNotFoundError } from "@/server/core/errors";
import { truncateGraphemes } from "@/server/core/graphemes";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { requireSignedReseller } from "@/server/domains/accounts/portals/service/access";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { redrawPicture } from "@/server/infrastructure/pictures";
import { storage } from "@/server/infrastructure/storage/storage";
import type { removeBrandPicture, uploadBrandPicture } from "../contract";
import { type PictureSlotName, PRODUCT_NAME_MAX_LENGTH } from "../policy";
import { findBrand } from "./brand";

export const BRANDS_FOLDER = "media/brands";

const PICTURE_COLUMNS = { logo: "logoPath", "logo-dark": "logoDarkPath", icon: "iconPath" } as const;

/** Pixels; four times the displayed size. */
const LOGO_RESIZE = { width: 1024, height: 256, fit: "inside", withoutEnlargement: true } as const;
const ICON_RESIZE = {
  width: 192,
  height: 192,
  fit: "contain",
  background: { r: 0, g: 0, b: 0, alpha: 0 },
} as const;

export async function uploadPicture(
  ctx: Context<UserActor>,
  { params, file }: Input<typeof uploadBrandPicture> & WithFile,
): Promise<Output<typeof uploadBrandPicture>> {
  await requireSignedReseller(ctx);
  const resizeOptions = params.picture === "icon" ? ICON_RESIZE : LOGO_RESIZE;
  const resizedPicture = await redrawPicture(await buffer(file.content), (picture) =>
    picture.resize(resizeOptions).png({ compressionLevel: 9 }),
  );
  const fileKey = `${BRANDS_FOLDER}/${ulid()}.png`;
  await storage().write(fileKey, Readable.from([resizedPicture]));
  // If this fails, a job deletes the unused file.
  return replacePicture(ctx, params.picture, fileKey);
}

export async function removePicture(
  ctx: Context<UserActor>,
  { params }: Input<typeof removeBrandPicture>,
): Promise<Output<typeof removeBrandPicture>> {
  await requireSignedReseller(ctx);
  return replacePicture(ctx, params.picture, null);
}

async function replacePicture(ctx: Context<UserActor>, picture: PictureSlotName, fileKey: string | null) {
  const userId = ctx.actor.id;
  const column = PICTURE_COLUMNS[picture];
  return withLockedOwnAccount(ctx, async (tx) => {
    const storedPaths = await tx.db.brand.findUnique({
      where: { userId },
      select: { logoPath: true, logoDarkPath: true, iconPath: true },
    });
    if (!storedPaths) {
      if (!fileKey) throw createNotFoundError("Brand", userId);
      const { name } = await tx.db.user.findUniqueOrThrow({ where: { id: userId }, select: { name: true } });
      const data = {
        userId,
        productName: truncateGraphemes(name, PRODUCT_NAME_MAX_LENGTH),
        [column]: fileKey,
      };
      await tx.db.brand.create({ data, select: { userId: true } });
    } else if (storedPaths[column] !== fileKey) {
      await tx.db.brand.update({ where: { userId }, data: { [column]: fileKey }, select: { userId: true } });
      if (storedPaths[column]) await addJob(tx, "remove_file", { key: storedPaths[column] });
    }
    await audit(tx, {
      action: "brand.picture_changed",
      object: { type: "User", id: userId },
      details: { picture, removed: fileKey === null },
    });
    const brand = (await findBrand(tx, userId))!;
    return { success: true as const, message: formatText(ctx.locale, "responses.brand_saved"), brand };
  });
}
