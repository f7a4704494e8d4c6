"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { FormError, useErrorText } from "@/components/api/form-error";
import { type SentFile, sendFile } from "@/components/api/send-file";
import { useFormat } from "@/components/ui/use-format";
import { FORMATS, formatOfName, MAX_BYTES } from "@/server/domains/sites/media/policy";
import type { MediaRow } from "./types";

const AT_ONCE = 3;

export interface QueuedUpload {
  id: number;
  file: File;
  state: "waiting" | "running" | "done" | "failed" | "canceled";
  /** Sent fraction, from 0 to 1. */
  share: number;
  problem?: string;
  asDocument: boolean;
}

/** Upload queue, three at a time. `onStored` receives each uploaded file. */
export function useUploads(onStored: (file: MediaRow) => void) {
  const t = useTranslations("media.queue");
  const { bytes } = useFormat();
  const errorText = useErrorText();
  const [uploads, setUploads] = useState<QueuedUpload[]>([]);
  const requests = useRef(new Map<number, SentFile>());
  const count = useRef(0);

  const change = (id: number, next: Partial<QueuedUpload>) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...next } : upload)));

  /** Early check by name and size; the server checks the content. */
  function problemWith(file: File): string | undefined {
    const format = formatOfName(file.name);
    const kind = format ? FORMATS[format].kind : "document";
    const max = kind === "video" ? MAX_BYTES.document : MAX_BYTES[kind];
    return file.size > max ? t("tooLarge", { size: bytes(file.size), max: bytes(max) }) : undefined;
  }

  function add(files: Iterable<File>) {
    const next = [...files].map((file): QueuedUpload => {
      const format = formatOfName(file.name);
      const problem = problemWith(file);
      count.current += 1;
      return {
        id: count.current,
        file,
        state: problem ? "failed" : "waiting",
        share: 0,
        problem,
        asDocument: Boolean(format) && FORMATS[format!].kind === "video" && file.size > MAX_BYTES.video,
      };
    });
    setUploads((all) => [...all, ...next]);
  }

  async function start({ id, file }: QueuedUpload) {
    const sending = sendFile({ path: "/api/media/upload", field: "file" }, file, (share) =>
      change(id, { share }),
    );
    requests.current.set(id, sending);
    try {
      const { media } = (await sending.done) as { media: MediaRow };
      change(id, { state: "done", share: 1 });
      onStored(media);
    } catch (error) {
      const isOffline = error instanceof FormError && error.status === undefined;
      const problem = isOffline
        ? t("offline")
        : error instanceof FormError && error.message
          ? error.message
          : errorText(error);
      setUploads((all) =>
        all.map((upload) =>
          upload.id === id && upload.state !== "canceled" ? { ...upload, state: "failed", problem } : upload,
        ),
      );
    } finally {
      requests.current.delete(id);
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when an upload starts or ends
  useEffect(() => {
    const free = AT_ONCE - uploads.filter(({ state }) => state === "running").length;
    const next = uploads
      .filter(({ state, id }) => state === "waiting" && !requests.current.has(id))
      .slice(0, free);
    for (const upload of next) {
      change(upload.id, { state: "running" });
      void start(upload);
    }
  }, [uploads]);

  // Cancel uploads when the user leaves the page.
  useEffect(() => {
    const running = requests.current;
    return () => {
      for (const request of running.values()) request.cancel();
    };
  }, []);

  return {
    uploads,
    add,
    cancel(id: number) {
      change(id, { state: "canceled" });
      requests.current.get(id)?.cancel();
    },
    retry: (id: number) => change(id, { state: "waiting", share: 0, problem: undefined }),
    clear: () => setUploads((all) => all.filter(({ state }) => state === "waiting" || state === "running")),
  };
}
