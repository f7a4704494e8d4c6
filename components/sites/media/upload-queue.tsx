"use client";

import { RotateCcw, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { IconButton } from "@/components/ui/icon-button";
import { ProgressBar } from "@/components/ui/progress-bar";
import type { QueuedUpload, useUploads } from "./use-uploads";

export function UploadQueue({ uploads, cancel, retry, clear }: ReturnType<typeof useUploads>) {
  const t = useTranslations("media.queue");
  if (uploads.length === 0) return null;
  const isBusy = uploads.some(({ state }) => state === "waiting" || state === "running");
  return (
    <section
      ref={scrollIntoView}
      aria-label={t("title")}
      className="mb-4 flex max-h-80 scroll-my-20 flex-col gap-3 overflow-y-auto rounded-card border border-border bg-surface p-4 shadow-1"
    >
      <div className="flex items-center justify-between gap-3">
        <h2 className="font-semibold text-sm">{t("title")}</h2>
        {isBusy ? null : <IconButton size="sm" label={t("close")} icon={<X />} onClick={clear} />}
      </div>
      <ul className="flex flex-col gap-3">
        {uploads.map((upload) => (
          <li key={upload.id} className="flex items-start gap-2">
            <div className="min-w-0 flex-1">
              <UploadProgress upload={upload} />
            </div>
            {upload.state === "waiting" || upload.state === "running" ? (
              <IconButton
                size="sm"
                label={`${t("cancel")}: ${upload.file.name}`}
                icon={<X />}
                onClick={() => cancel(upload.id)}
              />
            ) : null}
            {(upload.state === "failed" && !upload.isTooLarge) || upload.state === "canceled" ? (
              <IconButton
                size="sm"
                label={`${t("retry")}: ${upload.file.name}`}
                icon={<RotateCcw />}
                onClick={() => retry(upload.id)}
              />
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

function UploadProgress({
  upload: { id, file, state, progress, problem, isStoredAsDocument },
}: {
  upload: QueuedUpload;
}) {
  const t = useTranslations("media.queue");
  const percent = Math.floor(progress * 100);
  const texts = {
    waiting: t("waiting"),
    running: progress < 1 ? t("running", { percent }) : t("checking"),
    done: t("done"),
    failed: "",
    canceled: t("canceled"),
  };
  return (
    <>
      <ProgressBar
        id={`upload-${id}`}
        label={<bdi className="wrap-anywhere">{file.name}</bdi>}
        value={state === "failed" || state === "canceled" ? 0 : percent}
        max={100}
        valueText={texts[state]}
      />
      {problem ? (
        <p role="alert" className="mt-1 text-compact text-danger-text">
          {problem}
        </p>
      ) : isStoredAsDocument && state !== "canceled" ? (
        <p className="mt-1 text-compact text-fg-muted">{t("asDocument")}</p>
      ) : null}
    </>
  );
}

/** Scrolls to the queue, because files may have been dropped further down the page. */
function scrollIntoView(section: HTMLElement | null): void {
  section?.scrollIntoView({ block: "nearest" });
}
