"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { IconButton } from "./icon-button";

export interface PagerProps {
  /** Starts at 1. */
  page: number;
  pageSize: number;
  total: number;
  onPageChange: (page: number) => void;
}

export function Pager({ page, pageSize, total, onPageChange }: PagerProps) {
  const t = useTranslations("ui.table");
  const pageCount = Math.max(1, Math.ceil(total / pageSize));
  return (
    <nav
      aria-label={t("pages")}
      className="flex items-center justify-between gap-4 border-border border-t px-5 py-2 text-fg-muted text-sm"
    >
      <p>
        {t("range", {
          from: total === 0 ? 0 : (page - 1) * pageSize + 1,
          to: Math.min(page * pageSize, total),
          total,
        })}
      </p>
      <div className="flex gap-1" data-pages>
        <IconButton
          label={t("previous")}
          icon={<ChevronLeft className="mirror" />}
          size="sm"
          disabled={page <= 1}
          onClick={() => onPageChange(page - 1)}
        />
        <IconButton
          label={t("next")}
          icon={<ChevronRight className="mirror" />}
          size="sm"
          disabled={page >= pageCount}
          onClick={() => onPageChange(page + 1)}
        />
      </div>
    </nav>
  );
}
