"use client";

import { useTranslations } from "next-intl";
import { FormCheckbox } from "@/components/form/form-checkbox";
import { FormField } from "@/components/form/form-field";
import { Card } from "@/components/ui/card";
import { RadioGroup } from "@/components/ui/radio-group";
import { Slider } from "@/components/ui/slider";
import { useFormat } from "@/components/ui/use-format";
import { ColorField } from "./color-field";
import { DomainField } from "./domain-field";
import { getThresholdLevel } from "./site-facts";

export function SiteFields() {
  const t = useTranslations("sites.form");
  return (
    <>
      <Card title={t("siteSection")} description={t("siteText")}>
        <div className="flex flex-col gap-5">
          <NameFields />
        </div>
      </Card>
      <Card title={t("widgetSection")} description={t("widgetText")}>
        <div className="flex flex-col gap-5">
          <WidgetFields />
        </div>
      </Card>
      <Card title={t("aiSection")} description={t("aiText")}>
        <div className="flex flex-col gap-5">
          <AiFields />
        </div>
      </Card>
    </>
  );
}

export function NameFields() {
  const t = useTranslations("sites.form");
  return (
    <>
      <FormField name="name" label={t("name")} hint={t("nameHint")} autoComplete="off" />
      <DomainField name="domain" />
    </>
  );
}

/** The maximum lengths here and below are those of `SiteSettings` in contract.ts. */
export function WidgetFields() {
  const t = useTranslations("sites.form");
  return (
    <>
      <FormField name="bot_name" label={t("botName")} hint={t("botNameHint")} autoComplete="off" optional />
      <FormField
        name="welcome_message"
        label={t("welcome")}
        as="textarea"
        rows={3}
        max={500}
        dir="auto"
        optional
      />
      <ColorField name="widget_color" label={t("color")} />
      <FormField name="widget_position" label={t("position")} group>
        {({ value, onChange }) => (
          <RadioGroup
            value={value}
            onValueChange={onChange}
            options={[
              { value: "bottom-right", label: t("bottomRight") },
              { value: "bottom-left", label: t("bottomLeft") },
            ]}
          />
        )}
      </FormField>
    </>
  );
}

export function AiFields() {
  const t = useTranslations("sites.form");
  return (
    <>
      <FormCheckbox name="ai_enabled" label={t("ai")} hint={t("aiHint")} />
      <ThresholdField />
      <FormField
        name="system_prompt"
        label={t("prompt")}
        hint={t("promptHint")}
        as="textarea"
        rows={5}
        max={8000}
        dir="auto"
        optional
      />
    </>
  );
}

function ThresholdField() {
  const t = useTranslations("sites");
  const { number } = useFormat();
  return (
    <FormField name="similarity_threshold" label={t("form.threshold")} hint={t("form.thresholdHint")} group>
      {({ value, onChange }) => (
        <Slider
          value={value ?? 0.75}
          min={0}
          max={1}
          step={0.05}
          onValueChange={onChange}
          formatValue={(at) =>
            t("threshold.value", {
              word: t(`threshold.${getThresholdLevel(at)}`),
              value: number(at, { minimumFractionDigits: 2 }),
            })
          }
          endLabels={[t("threshold.loose"), t("threshold.strict")]}
        />
      )}
    </FormField>
  );
}
