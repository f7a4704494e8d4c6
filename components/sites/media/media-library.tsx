"use client";

import { Camera, FileUp, Images } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { type ChangeEvent, useCallback, useRef, useState } from "react";
import { api } from "@/components/api/client";
import { EmptyList } from "@/components/api/empty-list";
import { buildListTexts, ListCard } from "@/components/api/list-card";
import { RowPreview, useRowPreview } from "@/components/api/row-preview";
import { type PagedListOptions, usePagedList } from "@/components/api/use-paged-list";
import { Button } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";
import { lazyPart, POPUP } from "@/components/ui/lazy-part";
import { PageHeader } from "@/components/ui/page-header";
import { storePreference } from "@/components/ui/preference";
import { useCoarsePointer } from "@/components/ui/use-coarse-pointer";
import { useFormat } from "@/components/ui/use-format";
import { MEDIA_KINDS, UPLOAD_ACCEPT_ATTRIBUTE } from "@/server/domains/sites/media/policy";
import { BulkBar } from "./bulk-bar";
import { mediaParsers } from "./list-view";
import { MediaGrid } from "./media-grid";
import type { Library, MediaRow } from "./types";
import { UploadQueue } from "./upload-queue";
import { useDroppedFiles } from "./use-dropped-files";
import { useMediaColumns } from "./use-media-columns";
import { useUploads } from "./use-uploads";
import { type MediaView, ViewSwitch } from "./view-switch";

const MediaDetails = lazyPart(() => import("./media-details").then((file) => file.MediaDetails));
const RemoveMedia = lazyPart(() => import("./remove-media").then((file) => file.RemoveMediaDialog), POPUP);

const getFileKey = ({ id }: MediaRow) => String(id);

type LibraryPages = PagedListOptions<typeof mediaParsers, MediaRow>;

const useLibraryRows: LibraryPages["useRows"] = (input, options) =>
  api.media.list.useQuery({ query: input }, options) as never;

export function MediaLibrary({
  firstPage,
  initialView,
}: {
  firstPage: LibraryPages["firstPage"] & { data: Library };
  initialView: MediaView;
}) {
  const t = useTranslations("media");
  const { bytes } = useFormat();
  const utils = api.useUtils();
  const list = usePagedList(mediaParsers, { firstPage, useRows: useLibraryRows });
  const usage = api.media.list.useQuery(
    { query: { per_page: "1" } },
    { initialData: { ...firstPage.data }, select: (data) => data.usage },
  );
  const inputRef = useRef<HTMLInputElement>(null);
  const uploads = useUploads(() => void utils.media.invalidate());
  const addUploadsRef = useRef(uploads.add);
  addUploadsRef.current = uploads.add;
  const isDraggedOver = useDroppedFiles(useCallback((files: File[]) => addUploadsRef.current(files), []));
  const [view, setView] = useState(initialView);
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const selectedFiles = list.table.rows.filter(
    ({ id, can_delete }) => can_delete && selectedIds.has(String(id)),
  );
  const [previewKey, setPreviewKey] = useRowPreview();
  const [removal, setRemoval] = useState<{ files: MediaRow[]; opener: Element | null }>();
  const [isRemovalOpen, setIsRemovalOpen] = useState(false);
  const openRemoval = (files: MediaRow[]) => {
    setRemoval({ files, opener: document.activeElement });
    setIsRemovalOpen(true);
  };
  const onOpen = (file: MediaRow) => setPreviewKey(String(file.id));
  const onRemove = (file: MediaRow) => openRemoval([file]);
  const columns = useMediaColumns({ onOpen, onRemove });
  const cameraRef = useRef<HTMLInputElement>(null);
  const hasCoarsePointer = useCoarsePointer();
  const uploadButtons = (
    <>
      {hasCoarsePointer ? (
        <Button icon={<Camera />} onClick={() => cameraRef.current?.click()}>
          {t("camera")}
        </Button>
      ) : null}
      <Button data-create variant="primary" icon={<FileUp />} onClick={() => inputRef.current?.click()}>
        {t("upload")}
      </Button>
    </>
  );
  const handleFilesChosen = ({ target }: ChangeEvent<HTMLInputElement>) => {
    uploads.add(target.files ?? []);
    target.value = "";
  };
  const { used_bytes: usedBytes, quota_bytes: quotaBytes } = usage.data;
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} actions={uploadButtons} />
      <input
        ref={inputRef}
        type="file"
        multiple
        hidden
        accept={UPLOAD_ACCEPT_ATTRIBUTE}
        aria-label={t("upload")}
        onChange={handleFilesChosen}
      />
      <input
        ref={cameraRef}
        type="file"
        hidden
        accept="image/jpeg"
        capture="environment"
        aria-label={t("camera")}
        onChange={handleFilesChosen}
      />
      <p className="mb-4 flex flex-wrap justify-between gap-x-6 gap-y-1 text-fg-muted text-sm">
        <span>{isDraggedOver ? t("drop") : t("hint")}</span>
        <span>{t("usage", { used: bytes(usedBytes), quota: bytes(quotaBytes) })}</span>
      </p>
      {list.table.rows.some(({ is_public }) => !is_public) ? (
        <div className="mb-4">
          <FormAlert tone="warning">{t("notPublic")}</FormAlert>
        </div>
      ) : null}
      <UploadQueue {...uploads} />
      <div
        className={
          isDraggedOver ? "rounded-card outline-2 outline-primary outline-dashed outline-offset-4" : undefined
        }
      >
        <ListCard
          list={list}
          texts={buildListTexts(t)}
          columns={columns}
          rowKey={getFileKey}
          currentKey={previewKey}
          selection={{
            selected: selectedIds,
            onChange: setSelectedIds,
            rowLabel: ({ name }) => t("choose", { name }),
            canSelect: ({ can_delete }) => can_delete,
          }}
          actions={
            <ViewSwitch
              value={view}
              onChange={(nextView) => {
                setView(nextView);
                storePreference("media", nextView);
              }}
            />
          }
          bulkActions={
            <BulkBar
              count={selectedFiles.length}
              labels={{
                selected: t("chosen", { count: selectedFiles.length }),
                remove: t("delete.chosen", { count: selectedFiles.length }),
                clear: t("chooseNone"),
              }}
              onRemove={() => openRemoval(selectedFiles)}
              onClear={() => setSelectedIds(new Set())}
            />
          }
          filters={[
            {
              name: "kind",
              label: t("kind"),
              allLabel: t("allKinds"),
              options: MEDIA_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) })),
            },
            {
              name: "used",
              label: t("used"),
              allLabel: t("usedAll"),
              options: [
                { value: "true", label: t("usedYes") },
                { value: "false", label: t("usedNo") },
              ],
            },
          ]}
          emptyState={
            <EmptyList
              icon={<Images />}
              title={t("empty")}
              createLabel={t("emptyAction")}
              guide={"/developers/docs/guides/media-limits" as Route}
            >
              {t("emptyText")}
            </EmptyList>
          }
        >
          {view === "grid" ? (
            <MediaGrid
              files={list.table.rows}
              stale={list.table.stale}
              selectedIds={selectedIds}
              currentKey={previewKey}
              onSelectionChange={setSelectedIds}
              onOpen={onOpen}
              onRemove={onRemove}
            />
          ) : null}
        </ListCard>
      </div>
      <RowPreview
        rows={list.table.rows}
        rowKey={getFileKey}
        title={({ name }) => <span className="wrap-anywhere">{name}</span>}
      >
        {(file) => <MediaDetails file={file} />}
      </RowPreview>
      {removal ? (
        <RemoveMedia
          key={removal.files.map(({ id }) => id).join()}
          files={removal.files}
          opener={removal.opener}
          open={isRemovalOpen}
          onOpenChange={setIsRemovalOpen}
        />
      ) : null}
    </>
  );
}
