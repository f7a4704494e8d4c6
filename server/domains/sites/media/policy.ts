const MB = 1_048_576;

export const MEDIA_KINDS = ["image", "video", "audio", "document"] as const;
export type MediaKind = (typeof MEDIA_KINDS)[number];

/** Maximum bytes by kind (docs/contract.md 8). A larger video is stored as a document. */
export const MAX_BYTES_BY_KIND: Record<MediaKind, number> = {
  image: 5 * MB,
  video: 16 * MB,
  audio: 16 * MB,
  document: 100 * MB,
};
export const UPLOAD_MAX_BYTES = MAX_BYTES_BY_KIND.document;

const OFFICE_TYPE_PREFIX = "application/vnd.openxmlformats-officedocument";

export const MEDIA_FORMATS = {
  jpg: { kind: "image", type: "image/jpeg", title: "JPEG" },
  png: { kind: "image", type: "image/png", title: "PNG" },
  webp: { kind: "image", type: "image/webp", title: "WEBP" },
  mp4: { kind: "video", type: "video/mp4", title: "MP4" },
  "3gp": { kind: "video", type: "video/3gpp", title: "3GPP" },
  mp3: { kind: "audio", type: "audio/mpeg", title: "MP3" },
  ogg: { kind: "audio", type: "audio/ogg", title: "OGG" },
  aac: { kind: "audio", type: "audio/aac", title: "AAC" },
  m4a: { kind: "audio", type: "audio/mp4", title: "M4A" },
  pdf: { kind: "document", type: "application/pdf", title: "PDF" },
  docx: { kind: "document", type: `${OFFICE_TYPE_PREFIX}.wordprocessingml.document`, title: "DOCX" },
  pptx: { kind: "document", type: `${OFFICE_TYPE_PREFIX}.presentationml.presentation`, title: "PPTX" },
  zip: { kind: "document", type: "application/zip", title: "ZIP" },
} as const satisfies Record<string, { kind: MediaKind; type: string; title: string }>;
export type MediaFormat = keyof typeof MEDIA_FORMATS;

const EXTENSION_ALIASES: Record<string, MediaFormat> = {
  jpeg: "jpg",
  jpe: "jpg",
  jfif: "jpg",
  m4v: "mp4",
  "3gpp": "3gp",
  oga: "ogg",
  opus: "ogg",
  spx: "ogg",
  m4b: "m4a",
  "3ga": "m4a",
};

/** An extension must contain a letter, because a name may end in a date. */
const EXTENSION_PATTERN = /\.(?=\d{0,11}[a-z])([a-z\d]{1,12})$/i;

/** Returns the format of a name's extension: null without extension, undefined if it is not accepted. */
export function getFormatOfName(name: string): MediaFormat | null | undefined {
  const extension = EXTENSION_PATTERN.exec(name)?.[1]?.toLowerCase();
  if (extension === undefined) return null;
  if (Object.hasOwn(MEDIA_FORMATS, extension)) return extension as MediaFormat;
  return Object.hasOwn(EXTENSION_ALIASES, extension) ? EXTENSION_ALIASES[extension] : undefined;
}

/**
 * Accepts any extension of the same kind, or none. For M4A also video extensions, because programs mix
 * them up.
 */
export function isNameAllowed(name: string, format: MediaFormat): boolean {
  const nameFormat = getFormatOfName(name);
  if (!nameFormat) return nameFormat === null;
  if (format === "m4a" && (nameFormat === "mp4" || nameFormat === "3gp")) return true;
  return MEDIA_FORMATS[nameFormat].kind === MEDIA_FORMATS[format].kind;
}

export const FORMAT_TITLES_TEXT = Object.values(MEDIA_FORMATS)
  .map(({ title }) => title)
  .join(", ");

export const UPLOAD_ACCEPT_ATTRIBUTE = [...Object.keys(MEDIA_FORMATS), ...Object.keys(EXTENSION_ALIASES)]
  .map((extension) => `.${extension}`)
  .join(",");

export const FILE_NAME_LENGTH_MAX = 120;
export const DELETION_UNDO_SECONDS = 10;
