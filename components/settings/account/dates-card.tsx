"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTimeZone, useTranslations } from "next-intl";
import { useState } from "react";
import { call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Card } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { createFormatter } from "@/components/ui/format";
import { Select } from "@/components/ui/select";
import { type ReaderPreferences, toFormatSettings } from "@/components/ui/use-format";
import { useNow } from "@/components/ui/use-now";
import { DATE_FORMATS, HOUR_CYCLES, WEEK_STARTS } from "@/server/domains/accounts/profile/policy";

export function DatesCard({ preferences }: { preferences: ReaderPreferences }) {
  const t = useTranslations("settings.dates");
  const router = useRouter();
  const locale = useLocale();
  const timeZone = useTimeZone() ?? "Europe/Istanbul";
  const now = useNow(60_000);
  const [currentPreferences, setCurrentPreferences] = useState(preferences);
  const changePreference = useAction(
    (body: Partial<ReaderPreferences>) => call.account.updateUser.mutate({ body: body as never }),
    {
      onSuccess: (_, body) => {
        setCurrentPreferences((previous) => ({ ...previous, ...body }));
        router.refresh();
      },
    },
  );
  const createChangeHandler = (name: keyof ReaderPreferences) => (value: string) =>
    void changePreference.run({ [name]: value });
  const formatExample = (overrides: Partial<ReaderPreferences>) =>
    now === null
      ? ""
      : createFormatter({
          locale,
          timeZone,
          ...toFormatSettings({ ...currentPreferences, ...overrides }),
        }).dateTime(now);
  return (
    <div id="dates">
      <Card title={t("title")} description={t("text")}>
        <div className="flex max-w-sm flex-col gap-4">
          <Field label={t("dateFormat")}>
            <Select
              value={currentPreferences.date_format}
              disabled={changePreference.isPending}
              onValueChange={createChangeHandler("date_format")}
              options={DATE_FORMATS.map((value) => ({ value, label: t(`formats.${value}`) }))}
            />
          </Field>
          <Field label={t("hourCycle")}>
            <Select
              value={currentPreferences.hour_cycle}
              disabled={changePreference.isPending}
              onValueChange={createChangeHandler("hour_cycle")}
              options={HOUR_CYCLES.map((value) => ({ value, label: t(`hours.${value}`) }))}
            />
          </Field>
          <Field label={t("weekStart")}>
            <Select
              value={currentPreferences.week_start}
              disabled={changePreference.isPending}
              onValueChange={createChangeHandler("week_start")}
              options={WEEK_STARTS.map((value) => ({ value, label: t(`weeks.${value}`) }))}
            />
          </Field>
          <p className="min-h-6 text-sm">
            {now === null ? null : t("example", { example: formatExample({}) })}
          </p>
        </div>
      </Card>
    </div>
  );
}
