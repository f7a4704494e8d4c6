import * as z from "zod";
import { operation } from "@/server/core/contract";
import { listFilter, listOutput, PageMeta, pageQuery } from "@/server/core/list";
import {
  count,
  createdAt,
  message,
  pathId,
  queryFlag,
  queryInt,
  recordId,
  success,
} from "@/server/core/schema";
import { FORMATS, MEDIA_KINDS, UPLOAD_MAX_BYTES } from "./policy";

export { UNDO_SECONDS } from "./policy";

const address = "https://example.com/media/f/5aQ2mT8dKx4WbR7nLc3VfJ9hYz/menu.jpg";
const bytes = z.int().meta({ example: 48_213 });
const MediaKind = z.enum(MEDIA_KINDS).meta({ example: "image" });

export const MediaFile = z
  .object({
    id: recordId,
    name: z.string().meta({ description: "Name of the file.", example: "menü.jpg" }),
    kind: MediaKind.meta({ description: "Kind of file by its content; a video above 16 MB is a document." }),
    mime_type: z.string().meta({
      description: "Media type, with the codec for Opus in OGG: `audio/ogg; codecs=opus`.",
      example: "image/jpeg",
    }),
    size: bytes.meta({ description: "Stored size in bytes." }),
    url: z.string().meta({ description: "URL of the file.", example: address }),
    is_public: z.boolean().meta({ description: "False until the owner's e-mail address is verified." }),
    preview_url: z.string().nullable().meta({
      description: "URL of a small WEBP preview of an image; null if none.",
      example: null,
    }),
    width: z
      .int()
      .nullable()
      .meta({ description: "Width in pixels as shown; null if not an image or video.", example: 1600 }),
    height: z
      .int()
      .nullable()
      .meta({ description: "Height in pixels as shown; null if not an image or video.", example: 1200 }),
    duration: z.number().nullable().meta({
      description: "Duration in seconds, at most three decimals; null if not audio or video.",
      example: null,
    }),
    used_in_count: count.meta({ description: "Number of snippets that use the file." }),
    can_delete: z.boolean().meta({ description: "True when the caller may delete the file." }),
    created_at: createdAt,
  })
  .meta({ id: "MediaFile", description: "A file in the library." });

const LibraryUsage = z
  .object({
    used_bytes: bytes.meta({ description: "Bytes in use." }),
    quota_bytes: bytes.meta({ description: "Bytes available in total." }),
    files: count.meta({ description: "Number of files in the library." }),
  })
  .meta({ id: "LibraryUsage", description: "Size and quota of a library." });

export const LibraryMeta = PageMeta.extend({
  current_page: z.int().meta({ description: "Same as `page`.", example: 1 }),
  last_page: z.int().meta({ description: "Number of the last page.", example: 1 }),
}).meta({
  id: "LibraryMeta",
  description: "Position of a page in a list, also under the names `current_page` and `last_page`.",
});

/** At most 100 rows a page, 25 unless given. */
export const libraryPage = pageQuery.extend({
  per_page: queryInt({ min: 1, max: 100 })
    .meta({ example: "25" })
    .nullish()
    .meta({ description: "Rows per page; 25 when omitted." }),
});

const MEDIA = { tag: "Media", access: "token" } as const;
const WRITES = { ...MEDIA, ability: "media:write" } as const;
const ONE = { record: "MediaFile", params: z.object({ id: pathId }) } as const;
/** For the panel: the record is hidden at once and goes ten seconds later, unless it is restored. */
export const undoQuery = z.object({
  undo: queryFlag
    .meta({ example: "false" })
    .nullish()
    .meta({ description: "True to allow undoing the deletion for ten seconds." }),
});

export const listMedia = operation({
  id: "listMedia",
  method: "GET",
  path: "/api/media",
  ...MEDIA,
  summary: "List the files of the caller's library",
  description:
    "An agent sees the library of the parent account. `q` searches file names; `used` selects files that snippets use, or " +
    "do not. Newest first, 25 per page, at most 100; `data` repeats `media`.",
  query: listFilter({
    sorts: ["created_at", "name", "size"],
    filters: {
      kind: MediaKind.nullish().meta({ description: "Only files of this kind." }),
      used: queryFlag
        .meta({ example: "true" })
        .nullish()
        .meta({ description: "Only files that snippets use, or only those that none uses." }),
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
  ...WRITES,
  summary: "Upload a file to the library",
  description:
    "Images (JPEG, PNG, WEBP; 5 MB), video (MP4, 3GPP; 16 MB), audio (MP3, OGG, AAC, M4A; 16 MB), documents (PDF, DOCX, " +
    "PPTX, ZIP; 100 MB). 1 MB is 1,048,576 bytes. The content decides, not the declared type; a file name with the " +
    "extension of another kind is refused, a name without one gets one. A video above 16 MB is stored as a document. " +
    "Images are re-encoded without metadata: upright, in sRGB, only the first frame of an animated PNG. At most 60 " +
    "uploads an hour.",
  limit: { points: 60, per: 3600, by: "account", durable: true },
  upload: {
    field: "file",
    maxBytes: UPLOAD_MAX_BYTES,
    types: [...new Set(Object.values(FORMATS).map(({ type }) => type))],
  },
  status: 201,
  output: z.object({
    success,
    message,
    media: MediaFile.extend({
      stored_as_document: z.boolean().meta({ description: "True for a video too large to be sent as one." }),
    }).meta({ id: "UploadedFile", description: "The uploaded file." }),
    data: MediaFile,
    url: z.string().meta({ description: "URL of the file.", example: address }),
  }),
  errors: ["media_quota"],
});

export const deleteMedia = operation({
  id: "deleteMedia",
  method: "DELETE",
  path: "/api/media/{id}",
  ...WRITES,
  ...ONE,
  summary: "Delete a file",
  description:
    "Snippets that use the file keep their text, and their `media_file_id` becomes null. An agent can only delete their " +
    "own uploads. With `undo` the file is hidden and deleted ten seconds later unless it is restored.",
  query: undoQuery,
  output: z.object({
    success,
    message,
    detached_snippets: count.meta({ description: "Number of snippets that used the file." }),
  }),
});

export const getMediaUsage = operation({
  id: "getMediaUsage",
  method: "GET",
  path: "/api/media/{id}/usage",
  ...MEDIA,
  ...ONE,
  summary: "List the snippets that use a file",
  description: "At most 100, by title. `data` repeats `snippets`.",
  output: z.object({
    success,
    snippets: z
      .array(
        z.object({
          id: recordId,
          title: z.string().meta({ description: "Title of the snippet.", example: "Hoş geldiniz" }),
        }),
      )
      .meta({ description: "Snippets that use the file." }),
    data: z
      .array(
        z.object({
          id: recordId,
          title: z.string().meta({ description: "Title of the snippet.", example: "Hoş geldiniz" }),
        }),
      )
      .meta({ description: "Same as `snippets`." }),
    count,
  }),
});

export const restoreMedia = operation({
  id: "restoreMedia",
  method: "POST",
  path: "/api/media/{id}/restore",
  ...WRITES,
  ...ONE,
  summary: "Undo the deletion of a file",
  description: "404 once the file is gone. Has no effect on a file that is not being deleted.",
  output: z.object({ success, message, media: MediaFile }),
});
