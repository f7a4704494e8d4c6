"use client";

import { Download } from "lucide-react";
import { useLocale } from "next-intl";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import type { Locale } from "@/server/core/locale";

interface TableDownloadProps {
  tableId: string;
  /** File name without extension. */
  name: string;
  label: string;
  failedText: string;
}

/** Saves a table as CSV, exactly as it is shown. */
export function TableDownload({ tableId, name, label, failedText }: TableDownloadProps) {
  const locale = useLocale() as Locale;
  return (
    <Button
      size="sm"
      icon={<Download />}
      onClick={() => {
        import("./table-csv").then(
          ({ downloadTable }) => downloadTable(tableId, { name, locale }),
          () => toast.danger(failedText),
        );
      }}
    >
      {label}
    </Button>
  );
}
