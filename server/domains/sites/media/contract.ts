import * as z from "zod";
import { operation } from "@/server/core/contract";
import { listFilter, PageMeta, pageQuery } from "@/server/core/list";
import {
  count,
  message,
  pathId,
  queryFlag,
  queryInt,
  recordId,
  success,
  timestamp,
} from "@/server/core/schema";
import { FORMATS, MEDIA_KINDS, UPLOAD_MAX_BYTES } from "./policy";

export { UNDO_SECONDS } from "./policy";

const address = "https://example.com/media/f/5aQ2mT8dKx4WbR7nLc3VfJ9hYz/menu.jpg";
const bytes = z.int().meta({ example: 48_213 });
const MediaKind = z.enum(MEDIA_KINDS).meta({ example: "image" });

export const MediaFile = z
  .object({
    id: recordId,
    name: z.string().meta({ example: "menü.jpg" }),
    /** By its content: a video above 16 MB is a document. */
    kind: MediaKind,
    /** With the codec of Opus in OGG: `audio/ogg; codecs=opus`. */
    mime_type: z.string().meta({ example: "image/jpeg" }),
    /** Bytes as stored. */
    size: bytes,
    url: z.string().meta({ example: address }),
    /** False until the owner's address is verified. */
    is_public: z.boolean(),
    /** A small WEBP of a picture. */
    preview_url: z.string().nullable().meta({ example: null }),
    /** Pixels as shown: a film is measured upright. */
    width: z.int().nullable().meta({ example: 1600 }),
    height: z.int().nullable().meta({ example: 1200 }),
    /** Seconds, at most three decimals. */
    duration: z.number().nullable().meta({ example: null }),
    /** How many snippets have it. */
    used_in_count: count,
    /** Whether the caller may delete it. */
    can_delete: z.boolean(),
    created_at: timestamp,
  })
  .meta({ id: "MediaFile" });

/** What a library holds, and what it may hold. */
const LibraryUsage = z
  .object({ used_bytes: bytes, quota_bytes: bytes, files: count })
  .meta({ id: "LibraryUsage" });

/** A list's place under the names of other frameworks, too. */
export const LibraryMeta = PageMeta.extend({
  current_page: z.int().meta({ example: 1 }),
  last_page: z.int().meta({ example: 1 }),
}).meta({ id: "LibraryMeta" });

/** At most 100 rows a page, 25 unless given. */
export const libraryPage = pageQuery.extend({
  per_page: queryInt({ min: 1, max: 100 }).meta({ example: "25" }).nullish(),
});

const MEDIA = { tag: "Media", access: "token" } as const;
const WRITES = { ...MEDIA, ability: "media:write" } as const;
const ONE = { record: "MediaFile", params: z.object({ id: pathId }), errors: ["record_not_found"] } as const;
/** For the panel: the record is hidden at once and goes ten seconds later, unless it is restored. */
export const undoQuery = z.object({ undo: queryFlag.meta({ example: "false" }).nullish() });

export const listMedia = operation({
  id: "listMedia",
  method: "GET",
  path: "/api/media",
  ...MEDIA,
  summary: "List the files of the caller's library",
  description:
    "An agent has the library of the account above. `q` finds files with all its words in their names, `used` those that " +
    "snippets have or have not. Newest first, 25 a page, at most 100; `data` repeats `media`.",
  query: listFilter({
    sorts: ["created_at", "name", "size"],
    filters: { kind: MediaKind.nullish(), used: queryFlag.meta({ example: "true" }).nullish() },
  }).extend(libraryPage.shape),
  status: 200,
  output: z.object({
    success,
    media: z.array(MediaFile),
    data: z.array(MediaFile),
    count,
    meta: LibraryMeta,
    usage: LibraryUsage,
  }),
});

export const uploadMedia = operation({
  id: "uploadMedia",
  method: "POST",
  path: "/api/media/upload",
  ...WRITES,
  summary: "Upload a file to public storage",
  description:
    "Images (JPEG, PNG, WEBP; 5 MB), video (MP4, 3GPP; 16 MB), audio (MP3, OGG, AAC, M4A; 16 MB), documents (PDF, DOCX, " +
    "PPTX, ZIP; 100 MB). 1 MB is 1,048,576 bytes. The content decides, not the declared type; a name of another kind is " +
    "refused, a name without an extension gets one. A video above 16 MB is stored as a document. Pictures are drawn again " +
    "without metadata: upright, in sRGB, of an animated PNG the first picture. At most 60 an hour.",
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
    /** The file, with a word whether it was a video too large to be sent as one. */
    media: MediaFile.extend({ stored_as_document: z.boolean() }).meta({ id: "UploadedFile" }),
    data: MediaFile,
    url: z.string().meta({ example: address }),
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
    "Snippets that have it keep their text, and their `media_file_id` becomes null. An agent deletes own uploads only. With " +
    "`undo` the file is hidden and deleted ten seconds later, unless it is restored.",
  query: undoQuery,
  status: 200,
  output: z.object({ success, message, detached_snippets: count }),
});

export const getMediaUsage = operation({
  id: "getMediaUsage",
  method: "GET",
  path: "/api/media/{id}/usage",
  ...MEDIA,
  ...ONE,
  summary: "List the snippets that have a file",
  description: "At most 100, by title. `data` repeats `snippets`.",
  status: 200,
  output: z.object({
    success,
    snippets: z.array(z.object({ id: recordId, title: z.string().meta({ example: "Hoş geldiniz" }) })),
    data: z.array(z.object({ id: recordId, title: z.string().meta({ example: "Hoş geldiniz" }) })),
    count,
  }),
});

export const restoreMedia = operation({
  id: "restoreMedia",
  method: "POST",
  path: "/api/media/{id}/restore",
  ...WRITES,
  ...ONE,
  summary: "Take back a deletion that can be undone",
  description: "404 once the file is gone. Does nothing to a file that is not being deleted.",
  status: 200,
  output: z.object({ success, message, media: MediaFile }),
});
