import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { listFilter, listOutput } from "@/server/core/list";
import { byId, createdAt, id, recordId, textBlock, textLine, updatedAt } from "@/server/core/schema";
import { EXPECTED_DESCRIPTION, expectedField } from "@/server/core/stale";
import { LibraryMeta, libraryPage, MediaFile, undoQuery } from "@/server/domains/sites/media/contract";
import { BODY_LENGTH_MAX, SHORTCUT_LENGTH_MAX, SNIPPETS_MAX, TITLE_LENGTH_MAX } from "./policy";

const shortcut = textLine({ max: SHORTCUT_LENGTH_MAX })
  .refine((value) => /^[\p{L}\p{N}_-]+$/u.test(value), { error: "validation.shortcut" })
  .meta({ example: "hosgeldiniz" });
const SHORTCUT_TEXT =
  "Shortcut that inserts the text: letters, digits, `-` and `_`. Unique in the library, ignoring case. Null: " +
  "no shortcut.";
const title = textLine({ max: TITLE_LENGTH_MAX }).meta({
  description: "Title of the snippet.",
  example: "Hoş geldiniz",
});
const body = textBlock({ max: BODY_LENGTH_MAX }).meta({
  description: "Text of the snippet.",
  example: "Merhaba! Size nasıl yardımcı olabiliriz?",
});

export const Snippet = f.namedObject("Snippet", "A reusable text for replies.", {
  id: recordId.meta({ description: "ID of the snippet.", example: 4 }),
  title: f.text("Title of the snippet.", "Hoş geldiniz"),
  shortcut: f.nullable(z.string(), "Shortcut that inserts the text; null if none.", "hosgeldiniz"),
  body: f.text("Text of the snippet.", "Merhaba! Size nasıl yardımcı olabiliriz?"),
  media_file_id: f.nullable(recordId, "ID of the attached file; null if none."),
  media: f.nullable(
    MediaFile.pick({
      id: true,
      name: true,
      kind: true,
      mime_type: true,
      size: true,
      url: true,
      preview_url: true,
    }).meta({ id: "SnippetMedia", description: "File attached to a snippet." }),
    "Attached file; null if none.",
  ),
  file_missing: f.boolean("True when the attached file was deleted and not replaced.", false),
  can_edit: f.boolean("True when the caller may change or delete the snippet."),
  created_at: createdAt,
  updated_at: updatedAt,
});

const READ = { tag: "Snippets", access: "token" } as const;
const WRITE = { ...READ, ability: "media:write", labels: { title: "snippet_title" } } as const;
const BY_ID = byId("Snippet");
const LIBRARY_TEXT =
  "An agent uses the library of the parent account, but can change and delete only own snippets.";

export const listSnippets = operation({
  id: "listSnippets",
  method: "GET",
  path: "/api/snippets",
  ...READ,
  summary: "List the snippets of the caller's library",
  description: `\`q\` searches title, shortcut and text. Newest first by default. ${LIBRARY_TEXT}`,
  query: listFilter({
    sorts: ["created_at", "title"],
    filters: {
      file: f.nullish(z.enum(["missing"]), "`missing`: only snippets whose file was deleted.", "missing"),
      shortcut: f.nullish(shortcut, "Only the snippet with exactly this shortcut."),
    },
  }).extend(libraryPage.shape),
  output: listOutput("snippets", Snippet, "Snippets on this page.", {
    meta: LibraryMeta,
  }),
});

export const createSnippet = operation({
  id: "createSnippet",
  method: "POST",
  path: "/api/snippets",
  ...WRITE,
  summary: "Create a snippet",
  description: `422 with a field error if the library has the shortcut already or does not contain the file. At most ${SNIPPETS_MAX} snippets per library (\`snippets_full\`).`,
  body: z.object({
    title,
    shortcut: f.nullish(shortcut, SHORTCUT_TEXT),
    body,
    media_file_id: f.nullish(id, "ID of a file to attach; null for none."),
  }),
  status: 201,
  output: f.changeOutput({ snippet: Snippet }),
  errors: ["snippets_full"],
});

export const getSnippet = operation({
  id: "getSnippet",
  method: "GET",
  path: "/api/snippets/{id}",
  ...READ,
  ...BY_ID,
  summary: "Get a snippet",
  output: f.success({ snippet: Snippet }),
});

export const updateSnippet = operation({
  id: "updateSnippet",
  method: "PUT",
  path: "/api/snippets/{id}",
  ...WRITE,
  ...byId("Snippet"),
  summary: "Update a snippet",
  description: `Omitted fields stay unchanged. Null removes the shortcut or the file; for title and body, null changes nothing. 403 for an agent who did not create the snippet. ${EXPECTED_DESCRIPTION}`,
  body: z.object({
    title: f.nullish(title, "Title of the snippet; unchanged when null."),
    shortcut: f.nullish(shortcut, SHORTCUT_TEXT),
    body: f.nullish(body, "Text of the snippet."),
    media_file_id: f.nullish(id, "ID of a file to attach; null for none."),
    expected: expectedField({
      title: f.nullish(z.string(), "Value the caller last saw.", "Hoş geldiniz"),
      shortcut: f.nullish(z.string(), "Value the caller last saw.", "hosgeldiniz"),
      body: f.nullish(z.string(), "Value the caller last saw.", "Merhaba! Size nasıl yardımcı olabiliriz?"),
      media_file_id: f.nullish(id, "Value the caller last saw."),
    }),
  }),
  output: f.changeOutput({ snippet: Snippet }),
  errors: ["stale"],
});

export const deleteSnippet = operation({
  id: "deleteSnippet",
  method: "DELETE",
  path: "/api/snippets/{id}",
  ...WRITE,
  ...BY_ID,
  summary: "Delete a snippet",
  description:
    "The attached file is kept. With `undo`, the snippet is hidden immediately and deleted after ten " +
    "seconds unless it is restored.",
  query: undoQuery,
  output: f.changeOutput(),
});

export const restoreSnippet = operation({
  id: "restoreSnippet",
  method: "POST",
  path: "/api/snippets/{id}/restore",
  ...WRITE,
  ...BY_ID,
  summary: "Undo the deletion of a snippet",
  description:
    "Works for ten seconds after `DELETE /api/snippets/{id}?undo=true`; 404 after that. Has no effect on a " +
    "snippet that is not being deleted.",
  output: f.changeOutput({ snippet: Snippet }),
});
