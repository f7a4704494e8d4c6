import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  createSnippet,
  deleteSnippet,
  getSnippet,
  listSnippets,
  restoreSnippet,
  updateSnippet,
} from "./contract";
import { archiveReaders } from "./export";
import { finishSnippetRemovalJob, sweepSnippetsJob } from "./jobs";
import { listLibrarySnippets, readSnippet } from "./service/list";
import { removeSnippet, restoreRemovedSnippet } from "./service/remove";
import { addSnippet, changeSnippet } from "./service/write";

export const snippets = domain({
  operations: {
    list: createHandler(listSnippets, listLibrarySnippets),
    create: createHandler(createSnippet, addSnippet),
    get: createHandler(getSnippet, readSnippet),
    update: createHandler(updateSnippet, changeSnippet),
    remove: createHandler(deleteSnippet, removeSnippet),
    restore: createHandler(restoreSnippet, restoreRemovedSnippet),
  },
  jobs: {
    finish_snippet_removal: job(finishSnippetRemovalJob),
    sweep_snippets: job(sweepSnippetsJob, { cron: "41 * * * *", catchUp: "1d" }),
  },
  relations: [
    { table: "snippets", column: "user_id", topic: "files", onDeletion: "delete", export: "snippets" },
    {
      table: "snippets",
      column: "created_by_id",
      topic: "shared_files",
      onDeletion: "detach",
      export: { omittedBecause: "snippets in another account's library" },
    },
  ],
  exports: archiveReaders,
  audit: ["snippet.created", "snippet.changed", "snippet.deleted", "snippet.restored"],
});
