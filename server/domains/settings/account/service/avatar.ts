import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { ulid } from "ulid";
import type { Context, UserActor } from "@/server/core/context";
import type { Output, WithFile } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { updateUser } from "@/server/domains/accounts/users/service/change";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { redrawPicture } from "@/server/infrastructure/pictures";
import { toPublicPath } from "@/server/infrastructure/storage/served-files";
import { storage } from "@/server/infrastructure/storage/storage";
import type { removeAvatar, uploadAvatar } from "../contract";

export const AVATAR_FOLDER = "media/avatars";
/** Twice the largest display size. */
const AVATAR_SIDE_PIXELS = 256;

/** Stores a picture; a job deletes the previous file after the commit. */
export async function storeAvatar(
  ctx: Context<UserActor>,
  { file }: WithFile,
): Promise<Output<typeof uploadAvatar>> {
  const picture = await redrawPicture(await buffer(file.content), (image) =>
    image.resize(AVATAR_SIDE_PIXELS, AVATAR_SIDE_PIXELS, { fit: "cover" }).webp({ quality: 82 }),
  );
  const key = `${AVATAR_FOLDER}/${ulid()}.webp`;
  await storage().write(key, Readable.from([picture]));
  // If this fails, `sweep_avatars` deletes the unused file.
  await replaceAvatar(ctx, toPublicPath(key));
  return {
    success: true,
    message: formatText(ctx.locale, "responses.avatar_saved"),
    avatar_url: env().APP_URL + toPublicPath(key),
  };
}

export async function deleteAvatar(ctx: Context<UserActor>): Promise<Output<typeof removeAvatar>> {
  await replaceAvatar(ctx, null);
  return { success: true, message: formatText(ctx.locale, "responses.avatar_removed"), avatar_url: null };
}

async function replaceAvatar(ctx: Context<UserActor>, path: string | null): Promise<void> {
  const { id } = ctx.actor;
  // The lock serialises concurrent changes, so that each deletes its predecessor's file.
  await withLockedOwnAccount(ctx, async (tx) => {
    const previousUser = await tx.db.user.findUniqueOrThrow({ where: { id }, select: { avatarUrl: true } });
    if (previousUser.avatarUrl === path) return;
    await updateUser(tx, { id }, { avatarUrl: path });
    if (previousUser.avatarUrl?.startsWith(`/${AVATAR_FOLDER}/`))
      await addJob(tx, "remove_file", { key: previousUser.avatarUrl.slice(1) });
    await audit(tx, {
      action: path ? "profile.avatar_changed" : "profile.avatar_removed",
      object: { type: "User", id },
    });
  });
}
