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
import { type SpooledFile, withSpooledFile } from "@/server/infrastructure/storage/spool";
import { storage } from "@/server/infrastructure/storage/storage";
import type { uploadMedia } from "../contract";
import { MEDIA, mediaOf } from "../dto";
import { type ImageFormat, reencodeImage } from "../image.provider";
import { FORMATS, type Format, MAX_BYTES } from "../policy";
import { fileUrlOf } from "./file-url";
import { judge, limitOf, requireName } from "./judge";
import type { DetectedFile } from "./judge-bytes";
import { libraryOf, lockLibrary, quotaBytes, usageOf } from "./library";
import { displayName } from "./name";
import { removeLocation } from "./remove-location";

const withLimit = limitConcurrency({ running: 4, waiting: 200 });

interface Stored extends DetectedFile {
  fileKey: string;
  previewKey: string | null;
  size: number;
}

/** After a crash before the row, a job deletes the stored file, whose URL was never returned. */
export async function upload(
  ctx: Context<UserActor>,
  { file }: WithFile,
): Promise<Output<typeof uploadMedia>> {
  await requireSpace(ctx);
  const judgeHead = (head: Buffer) => limitOf(head, file.name);
  return withSpooledFile(file.content, judgeHead, async (received) => {
    const judged = await withLimit(() => judge(received, file.name));
    requireName(file.name, judged.format);
    const stored = await store(received, judged);
    try {
      return await record(ctx, stored, displayName(file.name, judged.format));
    } catch (error) {
      // Other errors may hide a successful commit: leave the decision to the sweep job.
      if (error instanceof AppError) await discard(stored);
      throw error;
    }
  });
}

/** Early check before the file is read; the transaction decides. */
async function requireSpace(ctx: Context<UserActor>): Promise<void> {
  const { used_bytes, quota_bytes } = await usageOf(ctx, await libraryOf(ctx));
  if (used_bytes >= quota_bytes) throw quotaError({ used_bytes, quota_bytes });
}

const quotaError = (usage: { used_bytes: number; quota_bytes: number }) => new AppError("media_quota", usage);

/** Formats that may contain a location. Images lose theirs when re-encoded. */
const WITH_PLACE: ReadonlySet<Format> = new Set(["mp4", "3gp", "m4a"]);

async function store(received: SpooledFile, judged: DetectedFile): Promise<Stored> {
  const [folder, id] = [newFolder(), randomText(24)];
  const fileKey = `media/files/${folder}/${id}.${judged.format}`;
  if (FORMATS[judged.format].kind !== "image") {
    if (WITH_PLACE.has(judged.format)) await removeLocation(received);
    await storage().adopt(fileKey, received.path);
    return { ...judged, fileKey, previewKey: null, size: received.size };
  }
  const bytes = Buffer.alloc(received.size);
  await received.file.read(bytes, 0, received.size, 0);
  const picture = await reencodeImage(bytes, judged.format as ImageFormat);
  const previewKey = `media/previews/${folder}/${id}.webp`;
  await storage().write(previewKey, Readable.from([picture.preview]));
  const size = await storage().write(fileKey, Readable.from([picture.bytes]));
  return { ...judged, fileKey, previewKey, size, width: picture.width, height: picture.height };
}

/** Removes a file whose row was refused. The sweep job removes it if this fails. */
async function discard({ fileKey, previewKey }: Stored): Promise<void> {
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
  const isStoredAsDocument = kind === "video" && stored.size > MAX_BYTES.video;
  const row = await withTransaction(ctx, async (tx) => {
    const userId = await lockLibrary(tx);
    await reserveSpace(tx, userId, stored.size);
    const created = await tx.db.mediaFile.create({
      data: {
        userId,
        uploadedById: ctx.actor.id,
        kind: isStoredAsDocument ? "document" : kind,
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
    await audit(tx, { action: "media.uploaded", object: { type: "MediaFile", id: created.id } });
    return created;
  });
  const media = mediaOf(row, ctx.actor);
  const key = isStoredAsDocument ? "responses.media_saved_as_document" : "responses.media_saved";
  return {
    success: true,
    message: [
      text(ctx.locale, key, { name }),
      !media.is_public && text(ctx.locale, "responses.media_not_public"),
    ]
      .filter(Boolean)
      .join(" "),
    media: { ...media, stored_as_document: isStoredAsDocument },
    data: media,
    url: fileUrlOf(row),
  };
}

/** Adds the size to the library's usage. Throws `media_quota` if it would exceed the quota. */
async function reserveSpace(tx: Context<UserActor>, userId: number, size: number): Promise<void> {
  await tx.db.mediaUsage.createMany({ data: [{ userId }], skipDuplicates: true });
  const { count: updatedCount } = await tx.db.mediaUsage.updateMany({
    where: { userId, bytes: { lte: quotaBytes(tx) - size } },
    data: { bytes: { increment: size }, files: { increment: 1 } },
  });
  if (updatedCount > 0) return;
  const { used_bytes, quota_bytes } = await usageOf(tx, userId);
  throw quotaError({ used_bytes, quota_bytes });
}
