"use client";

import { FileUp, Images } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useCallback, useRef, useState } from "react";
import { api } from "@/components/api/client";
import { ListCard } from "@/components/api/list-card";
import { type PageOptions, usePage } from "@/components/api/use-page";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { useFormat } from "@/components/ui/use-format";
import { ACCEPTED, MEDIA_KINDS } from "@/server/domains/sites/media/policy";
import { mediaParsers } from "./list-view";
import type { Library, MediaRow } from "./types";
import { UploadQueue } from "./upload-queue";
import { useDroppedFiles } from "./use-dropped-files";
import { useMediaColumns } from "./use-media-columns";
import { useUploads } from "./use-uploads";

const MediaDrawer = dynamic(() => import("./media-drawer").then((file) => file.MediaDrawer), { ssr: false });
const RemoveMedia = dynamic(() => import("./remove-media").then((file) => file.RemoveMedia), { ssr: false });

type Page = PageOptions<typeof mediaParsers, MediaRow>;

const useLibrary: Page["useRows"] = (input, options) =>
  api.media.list.useQuery({ query: input }, options as never) as never;

/** The library: files with their filters, uploads by button, drop or paste, details and deletion. */
export function MediaLibrary({ first }: { first: Page["first"] & { data: Library } }) {
  const t = useTranslations("media");
  const { bytes } = useFormat();
  const utils = api.useUtils();
  const list = usePage(mediaParsers, { first, useRows: useLibrary });
  const usage = api.media.list.useQuery(
    { query: { per_page: "1" } },
    { initialData: { ...first.data }, select: (data) => data.usage },
  );
  const input = useRef<HTMLInputElement>(null);
  const uploads = useUploads(() => void utils.media.invalidate());
  const add = useRef(uploads.add);
  add.current = uploads.add;
  const over = useDroppedFiles(useCallback((files: File[]) => add.current(files), []));
  const [shown, setShown] = useState<{ file: MediaRow; as: "details" | "removal" }>();
  const [open, setOpen] = useState(false);
  const show = (as: "details" | "removal") => (file: MediaRow) => {
    setShown({ file, as });
    setOpen(true);
  };
  const columns = useMediaColumns({ onOpen: show("details"), onRemove: show("removal") });
  const choose = (
    <Button variant="primary" icon={<FileUp />} onClick={() => input.current?.click()}>
      {t("upload")}
    </Button>
  );
  const { used_bytes: used, quota_bytes: quota } = usage.data;
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} actions={choose} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={ACCEPTED}
        aria-label={t("upload")}
        onChange={({ target }) => {
          uploads.add(target.files ?? []);
          target.value = "";
        }}
      />
      <p className="mb-4 flex flex-wrap justify-between gap-x-6 gap-y-1 text-fg-muted text-sm">
        <span>{over ? t("drop") : t("hint")}</span>
        <span>{t("usage", { used: bytes(used), quota: bytes(quota) })}</span>
      </p>
      <div
        className={
          over ? "rounded-card outline-2 outline-primary outline-dashed outline-offset-4" : undefined
        }
      >
        <ListCard
          list={list}
          words={{
            caption: t("title"),
            search: t("search"),
            found: (count) => t("found", { count }),
            noMatch: t("noMatch"),
            noMatchText: t("noMatchText"),
            clear: t("clear"),
          }}
          columns={columns}
          rowKey={({ id }) => String(id)}
          filters={[
            {
              name: "kind",
              label: t("kind"),
              all: t("allKinds"),
              options: MEDIA_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) })),
            },
            {
              name: "used",
              label: t("used"),
              all: t("usedAll"),
              options: [
                { value: "true", label: t("usedYes") },
                { value: "false", label: t("usedNo") },
              ],
            },
          ]}
          empty={
            <EmptyState icon={<Images />} title={t("empty")}>
              {t("hint")}
            </EmptyState>
          }
        />
      </div>
      <UploadQueue {...uploads} />
      {shown?.as === "details" ? (
        <MediaDrawer key={shown.file.id} file={shown.file} open={open} onOpenChange={setOpen} />
      ) : null}
      {shown?.as === "removal" ? (
        <RemoveMedia key={shown.file.id} file={shown.file} open={open} onOpenChange={setOpen} />
      ) : null}
    </>
  );
}
