"use client";

import { Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
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
          <bdi className="wrap-anywhere min-w-0 font-medium">{file.name}</bdi>
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
    createActionColumn(t("actions"), (file) => (
      <span className="flex items-center justify-end gap-1">
        <Button data-edit size="sm" labelSuffix={file.name} onClick={() => onOpen(file)}>
          {t("open")}
        </Button>
        {file.can_delete ? (
          <IconButton
            data-remove
            size="sm"
            label={`${t("delete.button")}: ${file.name}`}
            icon={<Trash2 />}
            onClick={() => onRemove(file)}
          />
        ) : null}
      </span>
    )),
  ];
}
