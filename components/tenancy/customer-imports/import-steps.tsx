"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ProgressBar } from "@/components/ui/progress-bar";
import { Time } from "@/components/ui/time";
import { ImportColumns } from "./import-columns";
import { ImportRows } from "./import-rows";
import type { Import } from "./types";

export interface ImportStepsProps {
  customerImport: Import;
  onRestart: () => void;
}

export function ImportSteps({ customerImport, onRestart }: ImportStepsProps) {
  const t = useTranslations("customerImport");
  const restartButton = <Button onClick={onRestart}>{t("preview.again")}</Button>;
  if (customerImport.state === "uploaded")
    return <ImportColumns customerImport={customerImport} restartButton={restartButton} />;
  return (
    <ReportCard
      customerImport={customerImport}
      restartButton={customerImport.state === "done" ? restartButton : null}
    />
  );
}

function ReportCard({
  customerImport,
  restartButton,
}: {
  customerImport: Import;
  restartButton: React.ReactNode;
}) {
  const t = useTranslations("customerImport");
  const id = useId();
  const { done, total, rows, continues_at: continuesAt } = customerImport;
  const invitedCount = rows.filter(({ outcome }) => outcome === "invited").length;
  if (customerImport.state === "running")
    return (
      <Card title={t("report.title")} description={t("report.leave")}>
        <ProgressBar
          id={id}
          label={customerImport.file_name ?? t("file.label")}
          value={done}
          max={total}
          valueText={t("report.running", { done, total })}
        />
        {continuesAt ? (
          <p className="mt-4 text-fg-muted text-sm">
            {t.rich("report.waits", { time: () => <Time value={continuesAt} show="dateTime" /> })}
          </p>
        ) : null}
      </Card>
    );
  return (
    <Card
      title={t("report.title")}
      description={`${t("report.invited", { count: invitedCount })} ${t("report.left", { count: rows.length - invitedCount })}`}
      footer={restartButton}
    >
      <ImportRows rows={rows} />
    </Card>
  );
}
