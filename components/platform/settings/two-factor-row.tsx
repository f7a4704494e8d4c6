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

export interface TwoFactorRequirementRowProps {
  label: string;
  requirement: TwoFactorRequirement | null;
  /** Resolves to undefined when the user cancels the proof of identity. */
  onSave: (requirement: TwoFactorRequirement | null) => Promise<{ message: string } | undefined>;
}

export function TwoFactorRequirementRow({ label, requirement, onSave }: TwoFactorRequirementRowProps) {
  const t = useTranslations("factorDuty.card");
  const { date: formatDate } = useFormat();
  const [isEditing, setIsEditing] = useState(false);
  const { isPending, run: removeRequirement } = useAction(() => onSave(null));
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 font-medium text-sm">{label}</legend>
      <p className="text-compact text-fg-muted">
        {requirement
          ? t("since", { date: formatDate(requirement.required_from), days: requirement.grace_days })
          : t("off")}
      </p>
      {isEditing ? (
        <RequirementForm
          label={label}
          requirement={requirement}
          onSave={onSave}
          onClose={() => setIsEditing(false)}
        />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button size="sm" onClick={() => setIsEditing(true)}>
            {t(requirement ? "change" : "require")}
          </Button>
          {requirement ? (
            <Button size="sm" working={isPending} onClick={() => void removeRequirement()}>
              {t("stop")}
            </Button>
          ) : null}
        </div>
      )}
    </fieldset>
  );
}

function RequirementForm({
  label,
  requirement,
  onSave,
  onClose,
}: TwoFactorRequirementRowProps & { onClose: () => void }) {
  const t = useTranslations("factorDuty.card");
  const form = useOperationForm(() => import("./forms").then((file) => file.twoFactorForm), {
    defaultValues: requirement ?? { required_from: "", grace_days: 14 },
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
