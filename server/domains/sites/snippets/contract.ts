import * as z from "zod";
import { operation } from "@/server/core/contract";
import { listFilter } from "@/server/core/list";
import { block, count, id, line, message, pathId, recordId, success, timestamp } from "@/server/core/schema";
import { EXPECTED_TEXT } from "@/server/core/stale";
import { LibraryMeta, libraryPage, MediaFile, undoQuery } from "@/server/domains/sites/media/contract";
import { BODY_MAX, SHORTCUT_MAX, SNIPPETS_MAX, TITLE_MAX } from "./policy";

/** Letters, digits, `-` and `_`; İ, I, ı and i are one letter, case does not count. */
const shortcut = line({ max: SHORTCUT_MAX })
  .refine((value) => /^[\p{L}\p{N}_-]+$/u.test(value), { error: "validation.shortcut" })
  .meta({ example: "hosgeldiniz" });
const title = line({ max: TITLE_MAX }).meta({ example: "Hoş geldiniz" });
const body = block({ max: BODY_MAX }).meta({ example: "Merhaba! Size nasıl yardımcı olabiliriz?" });

export const Snippet = z
  .object({
    id: recordId,
    title: z.string().meta({ example: "Hoş geldiniz" }),
    shortcut: z.string().nullable().meta({ example: "hosgeldiniz" }),
    body: z.string().meta({ example: "Merhaba! Size nasıl yardımcı olabiliriz?" }),
    media_file_id: recordId.nullable(),
    media: MediaFile.pick({
      id: true,
      name: true,
      kind: true,
      mime_type: true,
      size: true,
      url: true,
      preview_url: true,
    })
      .meta({ id: "SnippetMedia" })
      .nullable(),
    /** Its file was deleted, and no other has been chosen since. */
    file_missing: z.boolean().meta({ example: false }),
    /** Whether the caller may change or delete it. */
    can_edit: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Snippet" });

const SNIPPETS = { tag: "Snippets", access: "token" } as const;
const WRITES = { ...SNIPPETS, ability: "media:write", labels: { title: "snippet_title" } } as const;
const ONE = { record: "Snippet", params: z.object({ id: pathId }), errors: ["record_not_found"] } as const;
const WHOSE = "Snippets are shared in a library as files are; an agent changes and deletes own ones only.";

export const listSnippets = operation({
  id: "listSnippets",
  method: "GET",
  path: "/api/snippets",
  ...SNIPPETS,
  summary: "List the snippets of the caller's library",
  description:
    "`q` finds snippets with all its words in title, shortcut or text, `file=missing` those whose file was deleted, " +
    `\`shortcut\` the one that has it. Newest first, 25 a page, at most 100; \`data\` repeats \`snippets\`. ${WHOSE}`,
  query: listFilter({
    sorts: ["created_at", "title"],
    filters: {
      file: z.enum(["missing"]).meta({ example: "missing" }).nullish(),
      shortcut: shortcut.nullish(),
    },
  }).extend(libraryPage.shape),
  status: 200,
  output: z.object({ success, snippets: z.array(Snippet), data: z.array(Snippet), count, meta: LibraryMeta }),
});

export const createSnippet = operation({
  id: "createSnippet",
  method: "POST",
  path: "/api/snippets",
  ...WRITES,
  summary: "Create a snippet",
  description: `A shortcut is unique in its library. At most ${SNIPPETS_MAX} snippets; the file must be of the same library.`,
  body: z.object({ title, shortcut: shortcut.nullish(), body, media_file_id: id.nullish() }),
  status: 201,
  output: z.object({ success, message, snippet: Snippet }),
  errors: ["snippets_full"],
});

export const getSnippet = operation({
  id: "getSnippet",
  method: "GET",
  path: "/api/snippets/{id}",
  ...SNIPPETS,
  ...ONE,
  summary: "Get a snippet",
  status: 200,
  output: z.object({ success, snippet: Snippet }),
});

export const updateSnippet = operation({
  id: "updateSnippet",
  method: "PUT",
  path: "/api/snippets/{id}",
  ...WRITES,
  record: "Snippet",
  params: z.object({ id: pathId }),
  summary: "Change a snippet",
  description: `Missing fields stay unchanged; null takes the shortcut or the file away. ${EXPECTED_TEXT}`,
  body: z.object({
    title: title.nullish(),
    shortcut: shortcut.nullish(),
    body: body.nullish(),
    media_file_id: id.nullish(),
    expected: z
      .object({
        title: z.string().meta({ example: "Hoş geldiniz" }).nullish(),
        shortcut: z.string().meta({ example: "hosgeldiniz" }).nullish(),
        body: z.string().meta({ example: "Merhaba!" }).nullish(),
        media_file_id: id.nullish(),
      })
      .optional(),
  }),
  status: 200,
  output: z.object({ success, message, snippet: Snippet }),
  errors: ["record_not_found", "stale"],
});

export const deleteSnippet = operation({
  id: "deleteSnippet",
  method: "DELETE",
  path: "/api/snippets/{id}",
  ...WRITES,
  ...ONE,
  summary: "Delete a snippet",
  description:
    "With `undo` it is hidden and deleted ten seconds later, unless it is restored. Its file stays.",
  query: undoQuery,
  status: 200,
  output: z.object({ success, message }),
});

export const restoreSnippet = operation({
  id: "restoreSnippet",
  method: "POST",
  path: "/api/snippets/{id}/restore",
  ...WRITES,
  ...ONE,
  summary: "Take back a deletion that can be undone",
  description: "404 once the snippet is gone. Does nothing to one that is not being deleted.",
  status: 200,
  output: z.object({ success, message, snippet: Snippet }),
});
