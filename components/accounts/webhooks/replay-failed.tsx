"use client";

import { RotateCcw } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { RadioGroup } from "@/components/ui/radio-group";

const HOUR_MS = 3_600_000;
const PERIOD_HOURS = { day: 24, week: 168, all: null } as const;
type Period = keyof typeof PERIOD_HOURS;

const getPeriodStart = (hours: number | null) =>
  new Date(hours === null ? 0 : Date.now() - hours * HOUR_MS).toISOString();

export function ReplayFailed({ webhookId }: { webhookId: number }) {
  const t = useTranslations("webhooks.replayFailed");
  const utils = api.useUtils();
  const [isOpen, setOpen] = useState(false);
  const [period, setPeriod] = useState<Period>("day");
  const replay = useAction(
    () =>
      call.webhooks.replayFailed.mutate({
        params: { id: String(webhookId) },
        body: { since: getPeriodStart(PERIOD_HOURS[period]) },
      }),
    {
      onSuccess: () => {
        setOpen(false);
        void utils.webhooks.deliveries.invalidate();
      },
    },
  );
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm" icon={<RotateCcw />}>
          {t("open")}
        </Button>
      }
      title={t("title")}
      description={t("text")}
      footer={
        <Button variant="primary" working={replay.isPending} onClick={() => replay.attempt()}>
          {t("open")}
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        {replay.problem ? <FormAlert tone="danger">{replay.problem}</FormAlert> : null}
        <Field group label={t("since")}>
          <RadioGroup
            value={period}
            onValueChange={setPeriod}
            options={(Object.keys(PERIOD_HOURS) as Period[]).map((value) => ({ value, label: t(value) }))}
          />
        </Field>
      </div>
    </Dialog>
  );
}
