"use client";

import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Card } from "@/components/ui/card";
import { RadioGroup } from "@/components/ui/radio-group";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import { SUPPORT_PERIODS } from "@/server/domains/tenancy/view-as/policy";
import type { SupportAccess, Visit } from "./types";

const PERIOD_CHOICES = ["off", ...SUPPORT_PERIODS] as const;
type PeriodChoice = (typeof PERIOD_CHOICES)[number];

export function SupportAccessCard({ initialData }: { initialData: SupportAccess }) {
  const t = useTranslations("supportAccess");
  const utils = api.useUtils();
  const { data } = api.viewAs.getAccess.useQuery(undefined, { initialData });
  const { until, visits } = data.support_access;
  const form = useOperationForm(() => import("./forms").then((file) => file.supportAccessForm), {
    defaultValues: { until: until ? "7d" : "off" },
    submit: ({ until: choice }) =>
      call.viewAs.putAccess.mutate({ body: { until: choice === "off" ? null : choice } }),
    onSuccess: (response) => utils.viewAs.getAccess.setData(undefined, response),
  });
  return (
    <Card title={t("title")} description={t("text")}>
      <div className="flex flex-col gap-6">
        <OperationForm form={form} label={t("title")}>
          <p className="text-sm">
            {until ? t.rich("until", { time: () => <Time value={until} show="dateTime" /> }) : t("none")}
          </p>
          <FormField name="until" label={t("label")} group>
            {(control) => (
              <RadioGroup
                value={control.value as PeriodChoice}
                onValueChange={control.onChange}
                options={PERIOD_CHOICES.map((value) => ({ value, label: t(`period.${value}`) }))}
              />
            )}
          </FormField>
          <SubmitButton>{t("save")}</SubmitButton>
        </OperationForm>
        <section>
          <h3 className="font-medium text-sm">{t("visits")}</h3>
          {visits.length === 0 ? <p className="mt-1 text-fg-muted text-sm">{t("noVisits")}</p> : null}
          <ul className="divide-y divide-border empty:hidden">
            {visits.map((visit) => (
              <VisitItem key={visit.id} visit={visit} />
            ))}
          </ul>
        </section>
      </div>
    </Card>
  );
}

function VisitItem({ visit: { name, role, reason, started_at, running, steps } }: { visit: Visit }) {
  const t = useTranslations("supportAccess");
  const callCount = steps.reduce((sum, step) => sum + step.calls, 0);
  return (
    <li className="flex flex-col gap-1 py-2.5 text-sm last:pb-0">
      <span className="flex flex-wrap items-center justify-between gap-2">
        <span className="wrap-anywhere min-w-0">
          <bdi>{name ?? t("somebody")}</bdi>
          {role ? <span className="text-fg-muted">{` · ${t(`role.${role}`)}`}</span> : null}
        </span>
        {running ? <StatusChip tone="warning">{t("running")}</StatusChip> : null}
      </span>
      <span dir="auto" className="wrap-anywhere">
        {reason}
      </span>
      <span className="text-compact text-fg-muted">
        <Time value={started_at} show="dateTime" />
        <span>{` · ${t("seen", { count: callCount })}`}</span>
      </span>
    </li>
  );
}
