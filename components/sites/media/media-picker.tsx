"use client";

import { FileUp, Search } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api } from "@/components/api/client";
import { useErrorText } from "@/components/api/form-error";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { FileButton } from "@/components/ui/file-button";
import { Input } from "@/components/ui/input";
import { SkeletonRows } from "@/components/ui/skeleton";
import { type MediaKind, UPLOAD_ACCEPT_ATTRIBUTE } from "@/server/domains/sites/media/policy";
import { Thumbnail } from "./thumbnail";
import type { MediaRow } from "./types";
import { UploadQueue } from "./upload-queue";
import { useUploads } from "./use-uploads";

const PAGE_SIZE_STEP = 24;

export interface MediaPickerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  kind?: MediaKind;
  onChoose: (file: MediaRow) => void;
}

export function MediaPicker({ open, onOpenChange, kind, onChoose }: MediaPickerProps) {
  const t = useTranslations("media");
  return (
    <Dialog size="lg" open={open} onOpenChange={onOpenChange} title={t("picker.title")}>
      <MediaChoices
        kind={kind}
        onChoose={(file) => {
          onChoose(file);
          onOpenChange(false);
        }}
      />
    </Dialog>
  );
}

function MediaChoices({ kind, onChoose }: Pick<MediaPickerProps, "kind" | "onChoose">) {
  const t = useTranslations("media");
  const errorText = useErrorText();
  const [search, setSearch] = useState("");
  const [pageSize, setPageSize] = useState(PAGE_SIZE_STEP);
  const query = { q: search.trim() || null, kind: kind ?? null, per_page: String(Math.min(pageSize, 100)) };
  const fileQuery = api.media.list.useQuery({ query }, { placeholderData: (previousData) => previousData });
  const uploads = useUploads(onChoose);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap gap-3">
        <div className="min-w-48 flex-1">
          <Input
            type="search"
            aria-label={t("search")}
            placeholder={t("search")}
            before={<Search />}
            size="sm"
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
        </div>
        <FileButton
          size="sm"
          icon={<FileUp />}
          accept={kind === "image" ? ".jpg,.jpeg,.png,.webp" : UPLOAD_ACCEPT_ATTRIBUTE}
          label={t("picker.upload")}
          onFile={(file) => uploads.add([file])}
        >
          {t("picker.upload")}
        </FileButton>
      </div>
      {fileQuery.error ? (
        <ErrorState onRetry={fileQuery.refetch}>{errorText(fileQuery.error)}</ErrorState>
      ) : null}
      {fileQuery.data || fileQuery.error ? null : <SkeletonRows rowCount={3} />}
      {fileQuery.data?.count === 0 ? (
        <EmptyState icon={<Search />} heading="p" title={search ? t("noMatch") : t("empty")} />
      ) : null}
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {fileQuery.data?.media.map((file) => (
          <li key={file.id}>
            <button
              type="button"
              onClick={() => onChoose(file)}
              className="flex w-full flex-col gap-1.5 rounded-card p-1.5 text-start hover:bg-sunken focus-visible:outline-2 focus-visible:outline-primary"
            >
              <Thumbnail file={file} size="lg" />
              <bdi className="line-clamp-2 wrap-anywhere text-compact">{file.name}</bdi>
            </button>
          </li>
        ))}
      </ul>
      {fileQuery.data && fileQuery.data.meta.total > fileQuery.data.count && pageSize < 100 ? (
        <Button size="sm" onClick={() => setPageSize(pageSize + PAGE_SIZE_STEP)}>
          {t("picker.more")}
        </Button>
      ) : null}
      <UploadQueue {...uploads} />
    </div>
  );
}
