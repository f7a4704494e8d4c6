"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useFormProof } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useStoredForm } from "@/components/form/use-stored-form";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { NativeSelect } from "@/components/ui/native-select";
import { getTextDirection, LOCALE_LABELS, LOCALES, type Locale } from "@/server/core/locale";
import { PLAN_FEATURES } from "@/server/domains/billing/subscriptions/policy";
import type { AdminPlan } from "./types";

type StoredTexts = Pick<AdminPlan, "features" | "texts">;
type TextInputs = Partial<Record<Locale, { description?: string | null; lines?: string | null }>>;

const toFormValues = ({ features, texts }: StoredTexts) => ({
  features: features as (typeof PLAN_FEATURES)[number][],
  texts: Object.fromEntries(
    LOCALES.map((locale) => [
      locale,
      {
        description: texts[locale]?.description ?? "",
        lines: texts[locale]?.features?.join("\n") ?? "",
      },
    ]),
  ) as TextInputs,
});

/** Returns the texts to save. Languages without input get the default translations. */
async function parseTexts(input: TextInputs): Promise<StoredTexts["texts"]> {
  const { splitLines } = await import("./forms");
  const texts: StoredTexts["texts"] = {};
  for (const locale of LOCALES) {
    const { description, lines } = input[locale] ?? {};
    const features = splitLines(lines);
    if (description || features.length > 0)
      texts[locale] = { description: description || null, features: features.length > 0 ? features : null };
  }
  return texts;
}

export function PlanTextsForm({ plan, onSaved }: { plan: AdminPlan; onSaved: () => void }) {
  const t = useTranslations("billingAdmin.plans");
  const featureTexts = useTranslations("plans.features");
  const utils = api.useUtils();
  const [locale, setLocale] = useState<Locale>(LOCALES[0]);
  const form = useStoredForm(() => import("./forms").then((file) => file.planTextsFormContract), {
    proofPrompt: useFormProof(t("edit")),
    stored: { features: plan.features, texts: plan.texts },
    toFormValues,
    submit: async ({ features, texts }, expected) => {
      const body = {
        features,
        texts: await parseTexts(texts),
        expected: {
          features: expected.features as (typeof PLAN_FEATURES)[number][],
          texts: expected.texts,
        },
      };
      return call.subscriptions.changePlan.mutate({ params: { id: String(plan.id) }, body });
    },
    onStale: utils.subscriptions.listPlans.invalidate,
    onSuccess: async () => {
      await utils.subscriptions.listPlans.invalidate();
      onSaved();
    },
  });
  const dir = getTextDirection(locale);
  return (
    <OperationForm form={form} label={t("parts.texts")}>
      <p className="text-fg-muted text-sm">{t("texts.text")}</p>
      <Field label={t("texts.language")}>
        <NativeSelect
          value={locale}
          onValueChange={setLocale}
          options={LOCALES.map((value) => ({ value, label: LOCALE_LABELS[value] }))}
        />
      </Field>
      <FormField
        key={`description.${locale}`}
        name={`texts.${locale}.description`}
        label={t("texts.description")}
        hint={t("texts.descriptionHint")}
        as="textarea"
        rows={3}
        max={500}
        dir={dir}
        optional
      />
      <FormField
        key={`lines.${locale}`}
        name={`texts.${locale}.lines`}
        label={t("texts.features")}
        hint={t("texts.featuresHint")}
        as="textarea"
        rows={5}
        dir={dir}
        optional
      />
      <FormField name="features" label={t("texts.standard")} hint={t("texts.standardHint")} group optional>
        {({
          value,
          onChange,
          onBlur,
        }: {
          value: string[];
          onChange: (value: unknown) => void;
          onBlur: () => void;
        }) => (
          <div className="flex flex-col gap-2">
            {PLAN_FEATURES.map((featureKey) => (
              <Checkbox
                key={featureKey}
                label={featureTexts(featureKey)}
                checked={value.includes(featureKey)}
                onBlur={onBlur}
                onChange={(event) =>
                  onChange(
                    PLAN_FEATURES.filter((each) =>
                      each === featureKey ? event.target.checked : value.includes(each),
                    ),
                  )
                }
              />
            ))}
          </div>
        )}
      </FormField>
      <SubmitButton>{t("save")}</SubmitButton>
    </OperationForm>
  );
}
