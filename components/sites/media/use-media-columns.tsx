"use client";

import { Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { type Column, createActionColumn } from "@/components/ui/data-table";
import { IconButton } from "@/components/ui/icon-button";
import { FormattedNumber } from "@/components/ui/number";
import { Time } from "@/components/ui/time";
import { useFormat } from "@/components/ui/use-format";
import { Thumbnail } from "./thumbnail";
import type { MediaRow } from "./types";

export function useMediaColumns({
  onOpen,
  onRemove,
}: {
  onOpen: (file: MediaRow) => void;
  onRemove: (file: MediaRow) => void;
}): Column<MediaRow>[] {
  const t = useTranslations("media");
  const { bytes } = useFormat();
  return [
    {
      id: "name",
      header: t("name"),
      sortable: true,
      isCardTitle: true,
      cell: (file) => (
        <span className="flex min-w-0 items-center gap-3">
          <Thumbnail file={file} />
          <button
            type="button"
            data-edit
            onClick={() => onOpen(file)}
            className="wrap-anywhere min-w-0 rounded-control text-start font-medium hover:text-primary-text hover:underline hover:underline-offset-4"
          >
            <bdi>{file.name}</bdi>
          </button>
        </span>
      ),
    },
    { id: "kind", header: t("kind"), cell: ({ kind }) => t(`kinds.${kind}`) },
    { id: "size", header: t("size"), sortable: true, align: "end", cell: ({ size }) => bytes(size) },
    {
      id: "used",
      header: t("usedIn"),
      align: "end",
      minTableWidth: "medium",
      cell: ({ used_in_count: count }) => <FormattedNumber value={count} />,
    },
    {
      id: "created_at",
      header: t("created"),
      sortable: true,
      minTableWidth: "wide",
      cell: ({ created_at }) => <Time value={created_at} show="date" />,
    },
    createActionColumn(t("actions"), (file) =>
      file.can_delete ? (
        <IconButton
          data-remove
          size="sm"
          label={`${t("delete.button")}: ${file.name}`}
          icon={<Trash2 />}
          onClick={() => onRemove(file)}
        />
      ) : null,
    ),
  ];
}
