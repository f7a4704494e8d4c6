import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { deleteMedia, getMediaUsage, listMedia, restoreMedia, uploadMedia } from "./contract";
import { archiveReaders } from "./export";
import { finishMediaRemovalJob, sweepMediaJob } from "./jobs";
import { listFileSnippets, listLibraryFiles } from "./service/list";
import { deleteFile, restoreFile } from "./service/remove";
import { uploadFile } from "./service/upload";

export const media = domain({
  operations: {
    list: createHandler(listMedia, listLibraryFiles),
    upload: createHandler(uploadMedia, uploadFile),
    remove: createHandler(deleteMedia, deleteFile),
    usage: createHandler(getMediaUsage, listFileSnippets),
    restore: createHandler(restoreMedia, restoreFile),
  },
  jobs: {
    finish_media_removal: job(finishMediaRemovalJob),
    sweep_media: job(sweepMediaJob, { cron: "37 * * * *", catchUp: "1d" }),
  },
  relations: [
    {
      table: "media_files",
      column: "user_id",
      topic: "files",
      onDeletion: "delete",
      export: "media",
      files: ["file_key", "preview_key"],
    },
    {
      table: "media_files",
      column: "uploaded_by_id",
      topic: "shared_files",
      onDeletion: "detach",
      export: { omittedBecause: "files in another account's library" },
    },
    {
      table: "media_usage",
      column: "user_id",
      topic: "files",
      onDeletion: "delete",
      export: { omittedBecause: "a sum over the files" },
    },
  ],
  storedFileColumns: [
    { table: "media_files", column: "file_key", folder: "media/files" },
    { table: "media_files", column: "preview_key", folder: "media/previews" },
  ],
  exports: archiveReaders,
  audit: ["media.uploaded", "media.deleted", "media.restored"],
});
