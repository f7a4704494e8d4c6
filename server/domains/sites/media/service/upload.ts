import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { Context, UserActor } from "@/server/core/context";
import type { Output, WithFile } from "@/server/core/contract";
import { AppError } from "@/server/core/errors";
import { fold } from "@/server/core/fold";
import { text } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { limitConcurrency } from "@/server/infrastructure/concurrency";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { randomText } from "@/server/infrastructure/secrets/tokens";
import { type SpooledFile, spooled } from "@/server/infrastructure/storage/spool";
import { storage } from "@/server/infrastructure/storage/storage";
import type { uploadMedia } from "../contract";
import { MEDIA, mediaOf } from "../dto";
import { type PictureFormat, redraw } from "../image.provider";
import { FORMATS, type Format, MAX_BYTES } from "../policy";
import { addressOf } from "./address";
import { judge, limitOf, requireName } from "./judge";
import type { Judged } from "./judge-bytes";
import { libraryOf, lockLibrary, quotaBytes, usageOf } from "./library";
import { displayName } from "./name";
import { removePlace } from "./without-place";

const inTurn = limitConcurrency({ running: 4, waiting: 200 });

/** A file in the store, which no row names yet. */
interface Stored extends Judged {
  fileKey: string;
  previewKey: string | null;
  size: number;
}

/**
 * Receives a file, judges it by its content, stores it and writes its row. A crash before the row leaves a file that
 * nobody knows the address of, for the sweep.
 */
export async function upload(
  ctx: Context<UserActor>,
  { file }: WithFile,
): Promise<Output<typeof uploadMedia>> {
  await requireSpace(ctx);
  const judgeHead = (head: Buffer) => limitOf(head, file.name);
  return spooled(file.content, judgeHead, async (arrived) => {
    const judged = await inTurn(() => judge(arrived, file.name));
    requireName(file.name, judged.format);
    const stored = await store(arrived, judged);
    try {
      return await record(ctx, stored, displayName(file.name, judged.format));
    } catch (error) {
      // After any other error the row may be there: a commit whose answer was lost. The sweep looks.
      if (error instanceof AppError) await forget(stored);
      throw error;
    }
  });
}

/** An early look, so that a full library reads nothing; the transaction decides. */
async function requireSpace(ctx: Context<UserActor>): Promise<void> {
  const { used_bytes, quota_bytes } = await usageOf(ctx, await libraryOf(ctx));
  if (used_bytes >= quota_bytes) throw full({ used_bytes, quota_bytes });
}

const full = (usage: { used_bytes: number; quota_bytes: number }) => new AppError("media_quota", usage);

/** Formats that cameras write the place into; pictures are drawn again. */
const WITH_PLACE: ReadonlySet<Format> = new Set(["mp4", "3gp", "m4a"]);

/** Puts the file into the store under a new key; the first two characters are its folder. */
async function store(arrived: SpooledFile, judged: Judged): Promise<Stored> {
  const [folder, id] = [newFolder(), randomText(24)];
  const fileKey = `media/files/${folder}/${id}.${judged.format}`;
  if (FORMATS[judged.format].kind !== "image") {
    if (WITH_PLACE.has(judged.format)) await removePlace(arrived);
    await storage().adopt(fileKey, arrived.path);
    return { ...judged, fileKey, previewKey: null, size: arrived.size };
  }
  const bytes = Buffer.alloc(arrived.size);
  await arrived.file.read(bytes, 0, arrived.size, 0);
  const picture = await redraw(bytes, judged.format as PictureFormat);
  const previewKey = `media/previews/${folder}/${id}.webp`;
  await storage().write(previewKey, Readable.from([picture.preview]));
  const size = await storage().write(fileKey, Readable.from([picture.bytes]));
  return { ...judged, fileKey, previewKey, size, width: picture.width, height: picture.height };
}

/** Removes a file that was refused its row; what cannot be removed now is swept. */
async function forget({ fileKey, previewKey }: Stored): Promise<void> {
  for (const key of [fileKey, previewKey])
    if (key)
      await storage()
        .remove(key)
        .catch(() => undefined);
}

const newFolder = () => randomBytes(1).toString("hex");

async function record(
  ctx: Context<UserActor>,
  stored: Stored,
  name: string,
): Promise<Output<typeof uploadMedia>> {
  const { kind, type } = FORMATS[stored.format];
  const asDocument = kind === "video" && stored.size > MAX_BYTES.video;
  const row = await withTransaction(ctx, async (tx) => {
    const userId = await lockLibrary(tx);
    await count(tx, userId, stored.size);
    const made = await tx.db.mediaFile.create({
      data: {
        userId,
        uploadedById: ctx.actor.id,
        kind: asDocument ? "document" : kind,
        mimeType: stored.codec ? `${type}; codecs=${stored.codec}` : type,
        name,
        nameFolded: fold(name),
        size: stored.size,
        width: stored.width ?? null,
        height: stored.height ?? null,
        durationMs: stored.durationMs ?? null,
        fileKey: stored.fileKey,
        previewKey: stored.previewKey,
      },
      ...MEDIA,
    });
    await audit(tx, { action: "media.uploaded", object: { type: "MediaFile", id: made.id } });
    return made;
  });
  const media = mediaOf(row, ctx.actor);
  const key = asDocument ? "responses.media_saved_as_document" : "responses.media_saved";
  return {
    success: true,
    message: [
      text(ctx.locale, key, { name }),
      !media.is_public && text(ctx.locale, "responses.media_not_public"),
    ]
      .filter(Boolean)
      .join(" "),
    media: { ...media, stored_as_document: asDocument },
    data: media,
    url: addressOf(row),
  };
}

/** Adds to what the library holds; throws `media_quota` instead of going beyond what it may hold. */
async function count(tx: Context<UserActor>, userId: number, size: number): Promise<void> {
  await tx.db.mediaUsage.createMany({ data: [{ userId }], skipDuplicates: true });
  const { count: fits } = await tx.db.mediaUsage.updateMany({
    where: { userId, bytes: { lte: quotaBytes(tx) - size } },
    data: { bytes: { increment: size }, files: { increment: 1 } },
  });
  if (fits > 0) return;
  const { used_bytes, quota_bytes } = await usageOf(tx, userId);
  throw full({ used_bytes, quota_bytes });
}
