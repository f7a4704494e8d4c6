"use client";

import { Globe, Plus, Trash2 } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { useState } from "react";
import * as z from "zod";
import { FormError } from "@/components/api/form-error";
import { FormCheckbox } from "@/components/form/form-checkbox";
import { FormField } from "@/components/form/form-field";
import { FormSelect } from "@/components/form/form-select";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import { LinkButton } from "@/components/ui/link-button";
import { PasswordInput } from "@/components/ui/password-input";
import { RadioGroup } from "@/components/ui/radio-group";
import { Select } from "@/components/ui/select";
import { Slider } from "@/components/ui/slider";
import { Switch } from "@/components/ui/switch";
import { Textarea } from "@/components/ui/textarea";

const sampleOperation = {
  id: "gallerySample",
  body: z.object({
    name: z.string().min(2).max(40),
    domain: z.string().max(60),
    position: z.enum(["start", "end"]),
    welcome: z.string().max(80).nullish(),
    terms: z.literal(true, { error: "validation.accepted" }),
  }),
};

export function FormSection() {
  return (
    <>
      <Buttons />
      <Controls />
      <SampleForm />
      <Choices />
    </>
  );
}

function Buttons() {
  const t = useTranslations();
  return (
    <Card title="Button">
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" icon={<Plus />}>
            {t("gallery.siteNew")}
          </Button>
          <Button>{t("common.cancel")}</Button>
          <Button variant="ghost">{t("common.edit")}</Button>
          <Button variant="danger" icon={<Trash2 />}>
            {t("gallery.siteDelete")}
          </Button>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Button variant="primary" size="sm">
            {t("common.save")}
          </Button>
          <Button size="sm">{t("common.cancel")}</Button>
          <Button variant="primary" working>
            {t("common.save")}
          </Button>
          <Button working>{t("common.cancel")}</Button>
          <Button disabled>{t("common.save")}</Button>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <LinkButton href={"/dev/components/auth" as Route}>{t("navigation.docs")}</LinkButton>
          <IconButton label={t("common.edit")} icon={<Plus />} variant="secondary" />
          <IconButton label={t("common.delete")} icon={<Trash2 />} />
          <IconButton label={t("common.delete")} icon={<Trash2 />} size="sm" working />
        </div>
      </div>
    </Card>
  );
}

function Controls() {
  const t = useTranslations("gallery");
  return (
    <Card title="Field">
      <div className="flex flex-col gap-5">
        <Field label={t("name")}>
          <Input defaultValue="Kahve Dünyası" />
        </Field>
        <Field label={t("domain")} hint={t("domainHint")} optional>
          <Input dir="ltr" placeholder="example.com" before={<Globe />} />
        </Field>
        <Field label={t("domain")} error={t("domainTaken")} counter={{ used: 63, max: 60 }}>
          <Input dir="ltr" defaultValue="kahve.example.com" />
        </Field>
        <Field label={t("password")}>
          <PasswordInput autoComplete="new-password" defaultValue="demo" />
        </Field>
        <Field label={t("welcome")} counter={{ used: 41, max: 280 }}>
          <Textarea rows={3} defaultValue={t("welcomeSample")} />
        </Field>
        <Field label={t("name")} disabled>
          <Input defaultValue="Tellal" />
        </Field>
      </div>
    </Card>
  );
}

function SampleForm() {
  const t = useTranslations();
  const form = useOperationForm(async () => sampleOperation, {
    defaultValues: { name: "", domain: "", welcome: "" },
    draftName: "gallery",
    submit: async ({ domain }) => {
      await new Promise((done) => window.setTimeout(done, 700));
      if (domain === "taken.example") {
        throw new FormError({
          status: 422,
          errors: { domain: [t("gallery.domainTaken")], "billing.slot": [t("gallery.pending")] },
        });
      }
      if (domain === "limit.example")
        throw new FormError({ status: 429, message: t("gallery.limit"), retryAfter: 20 });
      return { message: t("gallery.saved") };
    },
  });
  return (
    <Card title="OperationForm">
      <OperationForm form={form} label="OperationForm">
        <FormField name="name" label={t("gallery.name")} autoComplete="off" />
        <FormField
          name="domain"
          label={t("gallery.domain")}
          hint={t("gallery.domainHint")}
          dir="ltr"
          autoComplete="off"
        />
        <FormSelect
          name="position"
          label={t("gallery.position")}
          placeholder="–"
          options={[
            { value: "start", label: t("gallery.positionStart") },
            { value: "end", label: t("gallery.positionEnd") },
          ]}
        />
        <FormField name="welcome" as="textarea" rows={2} max={80} optional label={t("gallery.welcome")} />
        <FormCheckbox name="terms" label={t("gallery.terms")} />
        <SubmitButton>{t("gallery.send")}</SubmitButton>
      </OperationForm>
    </Card>
  );
}

function Choices() {
  const t = useTranslations("gallery");
  const [threshold, setThreshold] = useState(60);
  const positions = [
    { value: "start", label: t("positionStart") },
    { value: "end", label: t("positionEnd") },
  ] as const;
  return (
    <Card title="Choice">
      <div className="flex flex-col gap-6">
        <Field label={t("position")}>
          <Select options={positions} defaultValue="end" />
        </Field>
        <Field label={t("position")} group>
          <RadioGroup options={positions} defaultValue="start" />
        </Field>
        <Field label={t("state")} group>
          <RadioGroup
            cards
            defaultValue="active"
            options={[
              { value: "active", label: t("active"), hint: t("aiHint") },
              { value: "suspended", label: t("suspended"), hint: t("siteDeleteText") },
            ]}
          />
        </Field>
        <div className="flex flex-col gap-3">
          <Checkbox label={t("terms")} defaultChecked />
          <Checkbox label={t("ai")} hint={t("aiHint")} indeterminate />
          <Checkbox label={t("terms")} error={t("limit")} />
          <Checkbox label={t("suspended")} disabled defaultChecked />
        </div>
        <Switch label={t("ai")} hint={t("aiHint")} defaultChecked />
        <Switch label={t("suspended")} />
        <Field label={t("threshold")} group hint={t("aiHint")}>
          <Slider value={threshold} onValueChange={setThreshold} endLabels={[t("loose"), t("strict")]} />
        </Field>
      </div>
    </Card>
  );
}
