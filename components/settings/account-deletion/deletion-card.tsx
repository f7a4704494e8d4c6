"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { DeletionDialog } from "./deletion-dialog";
import { TopicList } from "./topic-list";
import type { DeletionForecast } from "./types";

export function DeletionCard({ forecast }: { forecast: DeletionForecast }) {
  const t = useTranslations("deletion");
  const [open, setOpen] = useState(false);
  const { mode, reasons, topics, kept_until } = forecast;
  return (
    <Card
      tone="danger"
      title={t("title")}
      description={t(mode)}
      footer={
        <Button variant="danger" onClick={() => setOpen(true)}>
          {t("start")}
        </Button>
      }
    >
      {reasons.length > 0 ? (
        <div className="mb-5 text-sm">
          <p>{t("because")}</p>
          <ul className="mt-1.5 flex list-disc flex-col gap-1 ps-5 text-fg-muted">
            {reasons.map((reason) => (
              <li key={reason}>{t(`reasons.${reason}`)}</li>
            ))}
          </ul>
        </div>
      ) : null}
      <h3 className="font-medium text-sm">{t("what")}</h3>
      <TopicList topics={topics} keptUntil={kept_until} />
      <DeletionDialog forecast={forecast} open={open} onOpenChange={setOpen} />
    </Card>
  );
}
