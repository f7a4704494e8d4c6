"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormField } from "@/components/form/form-field";
import { FormNumber } from "@/components/form/form-number";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useAction } from "@/components/form/use-action";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Button } from "@/components/ui/button";
import { useFormat } from "@/components/ui/use-format";

export interface TwoFactorRequirement {
  required_from: string;
  grace_days: number;
}

export interface DutyRowProps {
  label: string;
  duty: TwoFactorRequirement | null;
  /** Resolves to undefined when the user cancels the proof of identity. */
  onSave: (duty: TwoFactorRequirement | null) => Promise<{ message: string } | undefined>;
}

export function TwoFactorRow({ label, duty, onSave }: DutyRowProps) {
  const t = useTranslations("factorDuty.card");
  const { date } = useFormat();
  const [editing, setEditing] = useState(false);
  const { working, press: stop } = useAction(() => onSave(null));
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 font-medium text-sm">{label}</legend>
      <p className="text-compact text-fg-muted">
        {duty ? t("since", { date: date(duty.required_from), days: duty.grace_days }) : t("off")}
      </p>
      {editing ? (
        <DutyForm label={label} duty={duty} onSave={onSave} onClose={() => setEditing(false)} />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button size="sm" onClick={() => setEditing(true)}>
            {t(duty ? "change" : "require")}
          </Button>
          {duty ? (
            <Button size="sm" working={working} onClick={() => void stop()}>
              {t("stop")}
            </Button>
          ) : null}
        </div>
      )}
    </fieldset>
  );
}

function DutyForm({ label, duty, onSave, onClose }: DutyRowProps & { onClose: () => void }) {
  const t = useTranslations("factorDuty.card");
  const form = useOperationForm(() => import("./forms").then((file) => file.twoFactorForm), {
    defaultValues: duty ?? { required_from: "", grace_days: 14 },
    submit: (body) => onSave(body),
    onSuccess: () => onClose(),
  });
  return (
    <OperationForm form={form} label={label}>
      <FormField name="required_from" label={t("from")} type="date" />
      <FormNumber name="grace_days" label={t("days")} hint={t("daysHint")} />
      <div className="flex flex-wrap gap-2">
        <SubmitButton>{t("save")}</SubmitButton>
        <Button onClick={onClose}>{t("cancel")}</Button>
      </div>
    </OperationForm>
  );
}
