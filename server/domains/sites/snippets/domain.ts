import { handle } from "@/server/core/contract";
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
    list: handle(listSnippets, listLibrarySnippets),
    create: handle(createSnippet, addSnippet),
    get: handle(getSnippet, readSnippet),
    update: handle(updateSnippet, changeSnippet),
    remove: handle(deleteSnippet, removeSnippet),
    restore: handle(restoreSnippet, restoreRemovedSnippet),
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
      topic: "files",
      onDeletion: "detach",
      export: { omittedBecause: "snippets in another account's library" },
    },
  ],
  exports: archiveReaders,
  audit: ["snippet.created", "snippet.changed", "snippet.deleted", "snippet.restored"],
});
