"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { FormError, useErrorText } from "@/components/api/form-error";
import { type FileUpload, uploadWithProgress } from "@/components/api/upload-with-progress";
import { useFormat } from "@/components/ui/use-format";
import { getFormatOfName, MAX_BYTES_BY_KIND, MEDIA_FORMATS } from "@/server/domains/sites/media/policy";
import type { MediaRow } from "./types";

const CONCURRENT_UPLOADS_MAX = 3;

export interface QueuedUpload {
  id: number;
  file: File;
  state: "waiting" | "running" | "done" | "failed" | "canceled";
  /** Sent fraction, from 0 to 1. */
  progress: number;
  problem?: string;
  /** Another attempt would fail, too. */
  isTooLarge: boolean;
  isStoredAsDocument: boolean;
}

/** Queue that uploads three files at a time. Calls `onStored` with each uploaded file. */
export function useUploads(onStored: (file: MediaRow) => void) {
  const t = useTranslations("media.queue");
  const { bytes } = useFormat();
  const errorText = useErrorText();
  const [uploads, setUploads] = useState<QueuedUpload[]>([]);
  const requests = useRef(new Map<number, FileUpload>());
  const lastUploadId = useRef(0);

  const updateUpload = (id: number, changes: Partial<QueuedUpload>) =>
    setUploads((previousUploads) =>
      previousUploads.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)),
    );

  /** Checks the size, with the limit of the name's format. The server checks the content. */
  function findProblem(file: File): string | undefined {
    const format = getFormatOfName(file.name);
    const kind = format ? MEDIA_FORMATS[format].kind : "document";
    const maxBytes = kind === "video" ? MAX_BYTES_BY_KIND.document : MAX_BYTES_BY_KIND[kind];
    return file.size > maxBytes ? t("tooLarge", { size: bytes(file.size), max: bytes(maxBytes) }) : undefined;
  }

  function addFiles(files: Iterable<File>) {
    const newUploads = [...files].map((file): QueuedUpload => {
      const format = getFormatOfName(file.name);
      const problem = findProblem(file);
      lastUploadId.current += 1;
      return {
        id: lastUploadId.current,
        file,
        state: problem ? "failed" : "waiting",
        progress: 0,
        problem,
        isTooLarge: problem !== undefined,
        isStoredAsDocument:
          Boolean(format) && MEDIA_FORMATS[format!].kind === "video" && file.size > MAX_BYTES_BY_KIND.video,
      };
    });
    setUploads((previousUploads) => [...previousUploads, ...newUploads]);
  }

  async function startUpload({ id, file }: QueuedUpload) {
    const request = uploadWithProgress({ path: "/api/media/upload", field: "file" }, file, (progress) =>
      updateUpload(id, { progress }),
    );
    requests.current.set(id, request);
    try {
      const { media } = (await request.response) as { media: MediaRow };
      updateUpload(id, { state: "done", progress: 1 });
      onStored(media);
    } catch (error) {
      // Cancelled, and perhaps started again.
      if (requests.current.get(id) !== request) return;
      const hasNoResponse = error instanceof FormError && error.status === undefined;
      const problem = hasNoResponse
        ? t("offline")
        : error instanceof FormError && error.message
          ? error.message
          : errorText(error);
      updateUpload(id, { state: "failed", problem });
    } finally {
      if (requests.current.get(id) === request) requests.current.delete(id);
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on `uploads` alone
  useEffect(() => {
    const freeUploadCount =
      CONCURRENT_UPLOADS_MAX - uploads.filter(({ state }) => state === "running").length;
    const uploadsToStart = uploads
      .filter(({ state, id }) => state === "waiting" && !requests.current.has(id))
      .slice(0, freeUploadCount);
    for (const upload of uploadsToStart) {
      updateUpload(upload.id, { state: "running" });
      void startUpload(upload);
    }
  }, [uploads]);

  useEffect(() => {
    const runningRequests = requests.current;
    return () => {
      for (const request of runningRequests.values()) request.cancel();
    };
  }, []);

  return {
    uploads,
    add: addFiles,
    cancel(id: number) {
      updateUpload(id, { state: "canceled" });
      requests.current.get(id)?.cancel();
      requests.current.delete(id);
    },
    retry: (id: number) => updateUpload(id, { state: "waiting", progress: 0, problem: undefined }),
    clear: () =>
      setUploads((previousUploads) =>
        previousUploads.filter(({ state }) => state === "waiting" || state === "running"),
      ),
  };
}
