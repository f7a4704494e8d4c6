import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { listFilter, listOutput, PageMeta, pageQuery } from "@/server/core/list";
import { byId, count, createdAt, queryFlag, queryInt, recordId } from "@/server/core/schema";
import { MEDIA_FORMATS, MEDIA_KINDS, UPLOAD_MAX_BYTES } from "./policy";

export { DELETION_UNDO_SECONDS } from "./policy";

const EXAMPLE_URL = "https://example.com/media/f/5aQ2mT8dKx4WbR7nLc3VfJ9hYz/menu.jpg";
const byteCount = z.int().meta({ example: 48_213 });
const MediaKind = z.enum(MEDIA_KINDS).meta({ example: "image" });

export const MediaFile = f.namedObject("MediaFile", "A file in the library.", {
  id: recordId,
  name: f.text("Name of the file.", "menü.jpg"),
  kind: MediaKind.meta({ description: "Kind of file by its content. A video above 16 MB is a `document`." }),
  mime_type: f.text("Media type. Opus in OGG includes the codec: `audio/ogg; codecs=opus`.", "image/jpeg"),
  size: byteCount.meta({ description: "Stored size in bytes." }),
  url: f.text("URL of the file; who can read it: see `is_public`.", EXAMPLE_URL),
  is_public: f.boolean(
    "True when anyone with the URL can read the file. False until the owner of the library has verified " +
      "their email address: then only the account can read it.",
  ),
  preview_url: f.nullable(
    z.string(),
    "URL of a small WEBP preview of an image; null if none.",
    "https://example.com/media/p/5aQ2mT8dKx4WbR7nLc3VfJ9hYz.webp",
  ),
  width: f.nullable(z.int(), "Width in pixels as displayed; null if unknown or not an image or video.", 1600),
  height: f.nullable(
    z.int(),
    "Height in pixels as displayed; null if unknown or not an image or video.",
    1200,
  ),
  duration: f.nullable(
    z.number(),
    "Duration in seconds, at most three decimals; null if unknown or not audio or video.",
    null,
  ),
  used_in_count: count.meta({ description: "Number of snippets that use the file." }),
  can_delete: f.boolean("True when the caller may delete the file."),
  created_at: createdAt,
});

const LibraryUsage = f.namedObject("LibraryUsage", "Size and quota of a library.", {
  used_bytes: byteCount.meta({ description: "Bytes in use, with files whose deletion can still be undone." }),
  quota_bytes: byteCount.meta({ description: "Maximum number of bytes." }),
  files: count.meta({ description: "Number of files in the library." }),
});

export const LibraryMeta = PageMeta.extend({
  current_page: f.integer("Same as `page`.", 1),
  last_page: f.integer("Number of the last page.", 1),
}).meta({
  id: "LibraryMeta",
  description: "Position of a page in a list. `current_page` and `last_page` are additional names.",
});

export const libraryPage = pageQuery.extend({
  per_page: f.nullish(
    queryInt({ min: 1, max: 100 }).meta({ example: "25" }),
    "Rows per page; 25 when omitted.",
  ),
});

const READ = { tag: "Media", access: "token" } as const;
const WRITE = { ...READ, ability: "media:write" } as const;
const BY_ID = byId("MediaFile");
/** For the panel: the record is hidden and, unless it is restored, deleted after DELETION_UNDO_SECONDS. */
export const undoQuery = z.object({
  undo: f.nullish(queryFlag.meta({ example: "false" }), "True to allow restoring for ten seconds."),
});

export const listMedia = operation({
  id: "listMedia",
  method: "GET",
  path: "/api/media",
  ...READ,
  summary: "List the files of the caller's library",
  description:
    "An agent sees the library of the parent account. `q` searches file names. Newest first by default.",
  query: listFilter({
    sorts: ["created_at", "name", "size"],
    filters: {
      kind: f.nullish(MediaKind, "Only files of this kind."),
      used: f.nullish(queryFlag, "True: only files that snippets use. False: only unused files."),
    },
  }).extend(libraryPage.shape),
  output: listOutput("media", MediaFile, "Files on this page.", {
    meta: LibraryMeta,
    usage: LibraryUsage.meta({ description: "Size and quota of the library." }),
  }),
});

export const uploadMedia = operation({
  id: "uploadMedia",
  method: "POST",
  path: "/api/media/upload",
  ...WRITE,
  summary: "Upload a file to the library",
  description:
    "Images (JPEG, PNG, WEBP; 5 MB), video (MP4, 3GPP; 16 MB), audio (MP3, OGG, AAC, M4A; 16 MB), " +
    "documents (PDF, DOCX, PPTX, ZIP; 100 MB). 1 MB is 1,048,576 bytes. The content decides the format, " +
    "not the declared type. The stored name gets the extension of the format. 422 if the file name has the " +
    "extension of another kind. A video above 16 MB is stored as a document. Images are rotated upright " +
    "and re-encoded in sRGB without metadata; of an animated PNG only the first frame is kept. Locations are " +
    "removed from video and audio. At most 60 uploads an hour.",
  limit: { points: 60, per: 3600, by: "account", durable: true },
  upload: {
    field: "file",
    maxBytes: UPLOAD_MAX_BYTES,
    types: [...new Set(Object.values(MEDIA_FORMATS).map(({ type }) => type))],
  },
  status: 201,
  output: f.changeOutput({
    media: MediaFile.extend({
      stored_as_document: f.boolean("True when a video above 16 MB was stored as a document."),
    }).meta({ id: "UploadedFile", description: "The uploaded file." }),
    data: MediaFile,
    url: f.text("URL of the file.", EXAMPLE_URL),
  }),
  errors: ["media_quota"],
});

export const deleteMedia = operation({
  id: "deleteMedia",
  method: "DELETE",
  path: "/api/media/{id}",
  ...WRITE,
  ...BY_ID,
  summary: "Delete a file",
  description:
    "Snippets that use the file keep their text; their `media_file_id` becomes null. An agent can delete " +
    "own uploads only. With `undo`, the file is hidden immediately and deleted after ten seconds unless it " +
    "is restored.",
  query: undoQuery,
  output: f.changeOutput({
    detached_snippets: count.meta({ description: "Number of snippets that used the file." }),
  }),
});

export const getMediaUsage = operation({
  id: "getMediaUsage",
  method: "GET",
  path: "/api/media/{id}/usage",
  ...READ,
  ...BY_ID,
  summary: "List the snippets that use a file",
  description: "At most 100, ordered by title.",
  output: f.success({
    snippets: f.list(
      z.object({
        id: recordId.meta({ description: "ID of the snippet.", example: 4 }),
        title: f.text("Title of the snippet.", "Hoş geldiniz"),
      }),
      "Snippets that use the file.",
    ),
    data: f.list(
      z.object({
        id: recordId.meta({ description: "ID of the snippet.", example: 4 }),
        title: f.text("Title of the snippet.", "Hoş geldiniz"),
      }),
      "Same as `snippets`.",
    ),
    count,
  }),
});

export const restoreMedia = operation({
  id: "restoreMedia",
  method: "POST",
  path: "/api/media/{id}/restore",
  ...WRITE,
  ...BY_ID,
  summary: "Undo the deletion of a file",
  description: "404 when the file is deleted already. Has no effect on a file that is not being deleted.",
  output: f.changeOutput({ media: MediaFile }),
});
