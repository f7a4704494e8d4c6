"use client";

import { useTranslations } from "next-intl";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { call } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { FormAlert } from "@/components/ui/form-alert";
import { RadioGroup } from "@/components/ui/radio-group";
import { KEY_LIFETIME_DAY_CHOICES } from "@/server/domains/access/tokens/policy";
import { ABILITY_PRESETS, type AbilityPreset, LIFETIME_OPTIONS, NO_EXPIRY_OPTION } from "./abilities";
import type { CreatedKey } from "./types";

export interface CreateKeyFormProps {
  onCreated: (created: CreatedKey) => void;
  /** While true, the dialog must stay open: the key is shown only once. */
  onWorking: (working: boolean) => void;
}

export function CreateKeyForm({ onCreated, onWorking }: CreateKeyFormProps) {
  const t = useTranslations("keys.create");
  const { prove, proofDialog } = useProofPrompt();
  const form = useOperationForm(() => import("./forms").then((file) => file.keyForm), {
    defaultValues: { name: "", preset: "read", life: "90" },
    submit: async ({ name, preset, life }) => {
      onWorking(true);
      const body = {
        name,
        abilities: [...ABILITY_PRESETS[preset]],
        expires_in_days: KEY_LIFETIME_DAY_CHOICES.find((days) => String(days) === life) ?? null,
      };
      return prove(t("title"), () => call.tokens.createKey.mutate({ body })).finally(() => onWorking(false));
    },
    showsSuccessToast: false,
    onSuccess: (created) => onCreated(created),
  });
  const hasNoExpiry = form.watch("life") === NO_EXPIRY_OPTION;
  return (
    <>
      <OperationForm form={form} label={t("title")}>
        <FormField name="name" label={t("name")} hint={t("nameHint")} autoComplete="off" />
        <FormField name="preset" label={t("abilities")} group>
          {(control) => (
            <RadioGroup
              cards
              value={control.value as AbilityPreset}
              onValueChange={control.onChange}
              options={(Object.keys(ABILITY_PRESETS) as AbilityPreset[]).map((value) => ({
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
              options={LIFETIME_OPTIONS.map((value) => ({
                value,
                label: value === NO_EXPIRY_OPTION ? t("never") : t("days", { count: Number(value) }),
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
      {proofDialog}
    </>
  );
}
