import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { Context, UserActor } from "@/server/core/context";
import type { Output, WithFile } from "@/server/core/contract";
import { AppError } from "@/server/core/errors";
import { foldText } from "@/server/core/fold";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { createTaskQueue } from "@/server/infrastructure/concurrency";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { randomText } from "@/server/infrastructure/secrets/tokens";
import { type SpooledFile, withSpooledFile } from "@/server/infrastructure/storage/spool";
import { storage } from "@/server/infrastructure/storage/storage";
import type { uploadMedia } from "../contract";
import { MEDIA_SELECT, toMediaFile } from "../dto";
import { type ImageFormat, reencodeImage } from "../image.provider";
import { MAX_BYTES_BY_KIND, MEDIA_FORMATS, type MediaFormat } from "../policy";
import type { DetectedFile } from "./detected-file";
import { buildDisplayName } from "./display-name";
import { buildFileUrl } from "./file-url";
import { getSizeLimit, inspectFile, requireAllowedName } from "./inspect";
import {
  findLibraryOwner,
  getLibraryUsage,
  getQuotaBytes,
  type LibraryOwner,
  lockLibraryOwner,
} from "./library";
import { removeLocation } from "./remove-location";

const withInspectionLimit = createTaskQueue({ running: 4, waiting: 200 });

interface StoredFile extends DetectedFile {
  fileKey: string;
  previewKey: string | null;
  size: number;
}

/** Stores the file first, then its row. After a crash in between, the sweep job deletes the file. */
export async function uploadFile(
  ctx: Context<UserActor>,
  { file }: WithFile,
): Promise<Output<typeof uploadMedia>> {
  await requireFreeSpace(ctx);
  const getUploadLimit = (head: Buffer) => getSizeLimit(head, file.name);
  return withSpooledFile(file.content, getUploadLimit, async (spooled) => {
    const detectedFile = await withInspectionLimit(() => inspectFile(spooled, file.name));
    requireAllowedName(file.name, detectedFile.format);
    const storedFile = await storeFile(spooled, detectedFile);
    try {
      return await insertFileRow(ctx, storedFile, buildDisplayName(file.name, detectedFile.format));
    } catch (error) {
      // After any other error the commit may have succeeded: the sweep job finds out.
      if (error instanceof AppError) await discardFile(storedFile);
      throw error;
    }
  });
}

async function requireFreeSpace(ctx: Context<UserActor>): Promise<void> {
  const { used_bytes, quota_bytes } = await getLibraryUsage(ctx, await findLibraryOwner(ctx));
  if (used_bytes >= quota_bytes) throw quotaError({ used_bytes, quota_bytes });
}

const quotaError = (usage: { used_bytes: number; quota_bytes: number }) => new AppError("media_quota", usage);

/** Formats that may contain a location. Images lose theirs when re-encoded. */
const FORMATS_WITH_LOCATION: ReadonlySet<MediaFormat> = new Set(["mp4", "3gp", "m4a"]);

async function storeFile(spooled: SpooledFile, detectedFile: DetectedFile): Promise<StoredFile> {
  const [folder, id] = [randomFolder(), randomText(24)];
  const fileKey = `media/files/${folder}/${id}.${detectedFile.format}`;
  if (MEDIA_FORMATS[detectedFile.format].kind !== "image") {
    if (FORMATS_WITH_LOCATION.has(detectedFile.format)) await removeLocation(spooled);
    await storage().moveIn(fileKey, spooled.path);
    return { ...detectedFile, fileKey, previewKey: null, size: spooled.size };
  }
  const bytes = Buffer.alloc(spooled.size);
  await spooled.file.read(bytes, 0, spooled.size, 0);
  const image = await reencodeImage(bytes, detectedFile.format as ImageFormat);
  const previewKey = `media/previews/${folder}/${id}.webp`;
  await storage().write(previewKey, Readable.from([image.preview]));
  const size = await storage().write(fileKey, Readable.from([image.bytes]));
  return { ...detectedFile, fileKey, previewKey, size, width: image.width, height: image.height };
}

async function discardFile({ fileKey, previewKey }: StoredFile): Promise<void> {
  for (const key of [fileKey, previewKey])
    if (key)
      await storage()
        .remove(key)
        .catch(() => undefined);
}

const randomFolder = () => randomBytes(1).toString("hex");

async function insertFileRow(
  ctx: Context<UserActor>,
  storedFile: StoredFile,
  name: string,
): Promise<Output<typeof uploadMedia>> {
  const { kind, type } = MEDIA_FORMATS[storedFile.format];
  const isStoredAsDocument = kind === "video" && storedFile.size > MAX_BYTES_BY_KIND.video;
  const { row, owner } = await withTransaction(ctx, async (tx) => {
    const libraryOwner = await lockLibraryOwner(tx);
    await reserveSpace(tx, libraryOwner, storedFile.size);
    const createdRow = await tx.db.mediaFile.create({
      data: {
        userId: libraryOwner.id,
        uploadedById: ctx.actor.id,
        kind: isStoredAsDocument ? "document" : kind,
        mimeType: storedFile.codec ? `${type}; codecs=${storedFile.codec}` : type,
        name,
        nameFolded: foldText(name),
        size: storedFile.size,
        width: storedFile.width ?? null,
        height: storedFile.height ?? null,
        durationMs: storedFile.durationMs ?? null,
        fileKey: storedFile.fileKey,
        previewKey: storedFile.previewKey,
      },
      ...MEDIA_SELECT,
    });
    await audit(tx, { action: "media.uploaded", object: { type: "MediaFile", id: createdRow.id } });
    return { row: createdRow, owner: libraryOwner };
  });
  const media = toMediaFile(row, ctx.actor, owner);
  const key = isStoredAsDocument ? "responses.media_saved_as_document" : "responses.media_saved";
  return {
    success: true,
    message: [
      formatText(ctx.locale, key, { name }),
      !media.is_public && formatText(ctx.locale, "responses.media_not_public"),
    ]
      .filter(Boolean)
      .join(" "),
    media: { ...media, stored_as_document: isStoredAsDocument },
    data: media,
    url: buildFileUrl(row),
  };
}

/** Adds the size to the used bytes in one update, so that concurrent uploads cannot exceed the quota. */
async function reserveSpace(tx: Context<UserActor>, owner: LibraryOwner, size: number): Promise<void> {
  const { id: userId } = owner;
  await tx.db.mediaUsage.createMany({ data: [{ userId }], skipDuplicates: true });
  const { count: updatedCount } = await tx.db.mediaUsage.updateMany({
    where: { userId, bytes: { lte: getQuotaBytes(owner) - size } },
    data: { bytes: { increment: size }, files: { increment: 1 } },
  });
  if (updatedCount > 0) return;
  const { used_bytes, quota_bytes } = await getLibraryUsage(tx, owner);
  throw quotaError({ used_bytes, quota_bytes });
}
