import { env } from "@/server/core/env";
import { buildContentDisposition } from "@/server/core/file-name";
import type { StoredFile } from "./driver";
import { storage } from "./storage";

/** Content types by extension. The extension is chosen from the content, never from the uploaded name. */
const CONTENT_TYPES: Record<string, string> = {
  jpg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  mp4: "video/mp4",
  "3gp": "video/3gpp",
  mp3: "audio/mpeg",
  aac: "audio/aac",
  ogg: "audio/ogg",
  m4a: "audio/mp4",
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  zip: "application/zip",
};
const INLINE_VIDEO_MAX_BYTES = 16 * 1024 * 1024;

const AVATAR_PATH = /^\/(media\/avatars\/[0-9A-HJKMNP-TV-Z]{26}\.webp)$/;
const BRAND_PATH = /^\/(media\/brands\/[0-9A-HJKMNP-TV-Z]{26}\.png)$/;
/** Folder and name of the file, then a readable name and the extension. */
const MEDIA_FILE_PATH = /^\/media\/f\/([0-9a-f]{2})([0-9A-Za-z]{24})\/([a-z0-9-]{1,80})\.([a-z0-9]{3,4})$/;
const PREVIEW_PATH = /^\/media\/p\/([0-9a-f]{2})([0-9A-Za-z]{24})\.webp$/;

/** Returns the path of a public file; stored without a host, so that it stays valid if APP_URL changes. */
export function toPublicPath(key: string): string {
  return `/${key}`;
}

/** Returns the URL of a stored picture: our paths get a host, external URLs are unchanged. */
export function toPublicUrl(storedPath: string | null): string | null {
  return storedPath?.startsWith("/") ? env().APP_URL + storedPath : storedPath;
}

/** Returns the URL of a media file; `readableName` is its last segment, without extension. */
export function buildMediaUrl(fileKey: string, readableName: string): string {
  const [, , folder, name] = fileKey.split("/");
  const [id, extension] = name!.split(".");
  return `${env().MEDIA_URL}/media/f/${folder}${id}/${readableName}.${extension}`;
}

export function buildPreviewUrl(previewKey: string): string {
  const [, , folder, name] = previewKey.split("/");
  return `${env().MEDIA_URL}/media/p/${folder}${name}`;
}

export interface MediaPath {
  key: string;
  extension: string;
  name?: string;
  /** True for files and previews of a media library: serve them only while their row exists. */
  isLibraryFile?: boolean;
}

/** Parses a path below `/media/`, without checking that the file exists. */
export function parseMediaPath(path: string): MediaPath | undefined {
  const avatarKey = AVATAR_PATH.exec(path)?.[1];
  if (avatarKey) return { key: avatarKey, extension: "webp" };
  const brandKey = BRAND_PATH.exec(path)?.[1];
  if (brandKey) return { key: brandKey, extension: "png" };
  const previewMatch = PREVIEW_PATH.exec(path);
  if (previewMatch)
    return {
      key: `media/previews/${previewMatch[1]}/${previewMatch[2]}.webp`,
      extension: "webp",
      isLibraryFile: true,
    };
  const fileMatch = MEDIA_FILE_PATH.exec(path);
  if (!fileMatch) return undefined;
  const [, folder, id, readableName, extension = ""] = fileMatch;
  return {
    key: `media/files/${folder}/${id}.${extension}`,
    extension,
    name: `${readableName}.${extension}`,
    isLibraryFile: true,
  };
}

export interface OpenedFile {
  file: StoredFile;
  /** Derived from the key, under which content never changes. */
  etag: string;
  headers: Record<string, string>;
}

interface StoredFileType {
  name: string;
  mimeType: string;
}

/** Returns a file with headers: pictures, audio and small videos inline, others as downloads. */
export async function readServedFile(
  mediaPath: MediaPath,
  description?: StoredFileType,
): Promise<OpenedFile | undefined> {
  const mimeType = Object.hasOwn(CONTENT_TYPES, mediaPath.extension)
    ? CONTENT_TYPES[mediaPath.extension]
    : undefined;
  const file = mimeType && (await storage().read(mediaPath.key));
  if (!file) return undefined;
  const isInline =
    !mimeType.startsWith("application/") &&
    !(mimeType.startsWith("video/") && file.size > INLINE_VIDEO_MAX_BYTES);
  const disposition = isInline ? "inline" : "attachment";
  const headers = {
    // The row's type may include a codec.
    "content-type": description?.mimeType.startsWith(`${mimeType};`) ? description.mimeType : mimeType,
    ...(mediaPath.name && {
      "content-disposition": buildContentDisposition(
        disposition,
        description?.name ?? mediaPath.name,
        mediaPath.name,
      ),
    }),
    // Names are never reused.
    "cache-control": "public, max-age=31536000, immutable",
    "cross-origin-resource-policy": "cross-origin",
  };
  return { file, etag: `"${mediaPath.key.split("/").slice(2).join("")}"`, headers };
}
