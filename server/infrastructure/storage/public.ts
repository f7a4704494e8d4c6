import { env } from "@/server/core/env";
import { contentDisposition } from "@/server/core/file-name";
import type { StoredFile } from "./driver";
import { storage } from "./storage";

/** The types of stored files by their extension, which we choose from the content. */
const TYPES: Record<string, string> = {
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
/** A video with more bytes is kept and saved as a document. */
const VIDEO_MAX_BYTES = 16 * 1024 * 1024;

const AVATAR = /^\/(media\/avatars\/[0-9A-HJKMNP-TV-Z]{26}\.webp)$/;
const BRAND = /^\/(media\/brands\/[0-9A-HJKMNP-TV-Z]{26}\.png)$/;
/** Folder and name of the file, then what people read: words and extension. */
const FILE = /^\/media\/f\/([0-9a-f]{2})([0-9A-Za-z]{24})\/([a-z0-9-]{1,80})\.([a-z0-9]{3,4})$/;
const PREVIEW = /^\/media\/p\/([0-9a-f]{2})([0-9A-Za-z]{24})\.webp$/;

/** Returns the path of a public file; stored without a host, so that it stays valid when the application moves. */
export function publicPath(key: string): string {
  return `/${key}`;
}

/** Returns the address of a stored picture for the API: ours with its host, a foreign one unchanged. */
export function publicUrl(stored: string | null): string | null {
  return stored?.startsWith("/") ? env().APP_URL + stored : stored;
}

/** The address of a file of a library; `words` is what its saved name begins with. */
export function mediaUrl(fileKey: string, words: string): string {
  const [, , folder, name] = fileKey.split("/");
  const [id, extension] = name!.split(".");
  return `${env().MEDIA_URL}/media/f/${folder}${id}/${words}.${extension}`;
}

/** The address of a file's preview. */
export function previewUrl(previewKey: string): string {
  const [, , folder, name] = previewKey.split("/");
  return `${env().MEDIA_URL}/media/p/${folder}${name}`;
}

export interface Place {
  key: string;
  extension: string;
  /** What it is saved as. */
  name?: string;
  /** A file of a library or its preview, which may be deleted before its content is removed. */
  isMedia?: boolean;
}

/** Returns the stored file that a path below `/media/` names, whether it exists or not. */
export function placeOf(path: string): Place | undefined {
  const avatar = AVATAR.exec(path)?.[1];
  if (avatar) return { key: avatar, extension: "webp" };
  const brand = BRAND.exec(path)?.[1];
  if (brand) return { key: brand, extension: "png" };
  const preview = PREVIEW.exec(path);
  if (preview)
    return { key: `media/previews/${preview[1]}/${preview[2]}.webp`, extension: "webp", isMedia: true };
  const file = FILE.exec(path);
  if (!file) return undefined;
  const [, folder, id, words, extension = ""] = file;
  return {
    key: `media/files/${folder}/${id}.${extension}`,
    extension,
    name: `${words}.${extension}`,
    isMedia: true,
  };
}

export interface PublicFile {
  file: StoredFile;
  /** Changes with the content, which never changes under one key. */
  etag: string;
  headers: Record<string, string>;
}

/** Name and type in the row of a file. */
interface Description {
  name: string;
  mimeType: string;
}

/**
 * Returns a stored file with its headers, or undefined. Pictures, sound and short videos are shown in place, everything
 * else is saved.
 */
export async function publicFile(place: Place, described?: Description): Promise<PublicFile | undefined> {
  const type = Object.hasOwn(TYPES, place.extension) ? TYPES[place.extension] : undefined;
  const file = type && (await storage().read(place.key));
  if (!file) return undefined;
  const inPlace =
    !type.startsWith("application/") && !(type.startsWith("video/") && file.size > VIDEO_MAX_BYTES);
  const disposition = inPlace ? "inline" : "attachment";
  const headers = {
    // A row may add a codec.
    "content-type": described?.mimeType.startsWith(`${type};`) ? described.mimeType : type,
    ...(place.name && {
      "content-disposition": contentDisposition(disposition, described?.name ?? place.name, place.name),
    }),
    // A name is never reused, so a cached file stays valid.
    "cache-control": "public, max-age=31536000, immutable",
    "cross-origin-resource-policy": "cross-origin",
  };
  return { file, etag: `"${place.key.split("/").slice(2).join("")}"`, headers };
}
