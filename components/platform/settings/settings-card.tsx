"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type * as z from "zod";
import { useFormProof } from "@/components/accounts/users/use-proof-prompt";
import { api } from "@/components/api/client";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import type { FormOperation } from "@/components/form/use-operation-form";
import { useStoredForm } from "@/components/form/use-stored-form";
import { Card } from "@/components/ui/card";
import type { putSettings } from "@/server/domains/platform/settings/contract";
import { ChangedBy } from "./changed-by";
import type { forms } from "./forms";
import { getSetting, type Setting, type StoredSettings, toStoredSettings } from "./types";

type SettingsBody = NonNullable<z.input<NonNullable<(typeof putSettings)["body"]>>>;

interface SettingsCardProps {
  /** Key in `forms.ts` and prefix of the message keys. */
  name: keyof typeof forms;
  settings: readonly Setting[];
  keys: readonly [Setting["key"], ...Setting["key"][]];
  /** Initial values; by default the settings by their keys. */
  getInitialValues?: (stored: StoredSettings) => object;
  /** Builds the request body; by default all values. */
  buildBody?: (values: never) => SettingsBody;
  neverText?: string;
  children: ReactNode;
}

/** Form for some settings, with their last change. Asks for a proof of identity when one is required. */
export function SettingsCard(props: SettingsCardProps) {
  const { name, settings, keys, buildBody = (values) => values as SettingsBody } = props;
  const { getInitialValues = (stored) => Object.fromEntries(keys.map((key) => [key, stored[key]])) } = props;
  const t = useTranslations("platformSettings");
  const title = t(`${name}.title`);
  const save = api.settings.change.useMutation();
  const form = useStoredForm(() => import("./forms").then((file): FormOperation => file.forms[name]), {
    proofPrompt: useFormProof(title),
    stored: toStoredSettings(settings),
    toFormValues: (stored) => getInitialValues(stored) as never,
    submit: (values, { updated_at }) => {
      const expectedUpdatedAt = Object.fromEntries(keys.map((key) => [key, updated_at[key]]));
      return save.mutateAsync({
        body: { ...buildBody(values as never), expected_updated_at: expectedUpdatedAt },
      });
    },
    onSuccess: (response) => {
      form.replaceStoredValues(toStoredSettings(response.settings));
    },
  });
  const currentSettings = save.data?.settings ?? settings;
  const [latestSetting] = keys
    .map((key) => getSetting(currentSettings, key))
    .sort((a, b) => (b.updated_at ?? "").localeCompare(a.updated_at ?? ""));

  return (
    <Card
      title={title}
      description={t(`${name}.text`)}
      footer={<ChangedBy setting={latestSetting!} neverText={props.neverText} />}
    >
      <OperationForm form={form} label={title}>
        {props.children}
        <SubmitButton>{t(`${name}.save`)}</SubmitButton>
      </OperationForm>
    </Card>
  );
}
