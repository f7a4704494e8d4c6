"use client";

import { useTranslations } from "next-intl";
import { useProven } from "@/components/accounts/users/use-proven";
import { call } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { FormAlert } from "@/components/ui/form-alert";
import { RadioGroup } from "@/components/ui/radio-group";
import { KEY_LIVES } from "@/server/domains/access/tokens/policy";
import { LIVES, NEVER, PRESETS, type Preset } from "./abilities";
import type { CreatedKey } from "./types";

export interface CreateKeyFormProps {
  onCreated: (created: CreatedKey) => void;
  /** True while the key is being created. The dialog must stay open, because the key is shown once. */
  onWorking: (working: boolean) => void;
}

export function CreateKeyForm({ onCreated, onWorking }: CreateKeyFormProps) {
  const t = useTranslations("keys.create");
  const { prove, confirmation } = useProven();
  const form = useOperationForm(() => import("./forms").then((file) => file.keyForm), {
    defaultValues: { name: "", preset: "read", life: "90" },
    submit: async ({ name, preset, life }) => {
      onWorking(true);
      const body = {
        name,
        abilities: [...PRESETS[preset]],
        expires_in_days: KEY_LIVES.find((days) => String(days) === life) ?? null,
      };
      return prove(t("title"), () => call.tokens.createKey.mutate({ body })).finally(() => onWorking(false));
    },
    success: false,
    onSuccess: (created) => onCreated(created),
  });
  const hasNoExpiry = form.watch("life") === NEVER;
  return (
    <>
      <OperationForm form={form} label={t("title")}>
        <FormField name="name" label={t("name")} hint={t("nameHint")} autoComplete="off" />
        <FormField name="preset" label={t("abilities")} group>
          {(control) => (
            <RadioGroup
              cards
              value={control.value as Preset}
              onValueChange={control.onChange}
              options={(Object.keys(PRESETS) as Preset[]).map((value) => ({
                value,
                label: t(`preset.${value}`),
                hint: t(`preset.${value}Hint`),
              }))}
            />
          )}
        </FormField>
        <FormField name="life" label={t("life")} group>
          {(control) => (
            <RadioGroup
              value={control.value as string}
              onValueChange={control.onChange}
              options={LIVES.map((value) => ({
                value,
                label: value === NEVER ? t("never") : t("days", { count: Number(value) }),
              }))}
            />
          )}
        </FormField>
        {hasNoExpiry ? (
          <FormAlert tone="warning" live>
            {t("neverText")}
          </FormAlert>
        ) : null}
        <SubmitButton block>{t("submit")}</SubmitButton>
      </OperationForm>
      {confirmation}
    </>
  );
}
