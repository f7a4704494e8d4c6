"use client";

import type { ReactNode } from "react";
import type { DefaultValues, FieldValues } from "react-hook-form";
import type * as z from "zod";
import { useProven } from "@/components/accounts/users/use-proven";
import { api } from "@/components/api/client";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import type { AnyOperationForm, LoadOperation } from "@/components/form/use-operation-form";
import { useStoredForm } from "@/components/form/use-stored-form";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import type { putSettings } from "@/server/domains/platform/settings/contract";
import { ChangedBy } from "./changed-by";
import { type Setting, type StoredSettings, settingOf, storedOf } from "./types";

type Body = NonNullable<z.input<NonNullable<(typeof putSettings)["body"]>>>;

interface SettingsCardProps<Schema extends z.ZodType> {
  settings: readonly Setting[];
  /** What the card changes. */
  keys: readonly [Setting["key"], ...Setting["key"][]];
  load: LoadOperation<Schema>;
  valuesOf: (stored: StoredSettings) => DefaultValues<z.input<Schema> & FieldValues>;
  /** What is sent of the values. */
  bodyOf: (values: z.input<Schema>) => Body;
  title: string;
  text: string;
  save: string;
  /** What holds while nobody has set it. */
  never?: string;
  children: ReactNode;
}

/** A form of some settings, with who changed the latest of them. It asks for a proof of identity where one is needed. */
export function SettingsCard<Schema extends z.ZodType>(props: SettingsCardProps<Schema>) {
  const { settings, keys, title } = props;
  const save = api.settings.change.useMutation();
  const { prove, confirmation } = useProven();
  const form = useStoredForm(props.load, {
    stored: storedOf(settings),
    valuesOf: props.valuesOf,
    submit: (values, { updated_at }) => {
      const seen = Object.fromEntries(keys.map((key) => [key, updated_at[key]]));
      return prove(title, () =>
        save.mutateAsync({ body: { ...props.bodyOf(values), expected_updated_at: seen } }),
      );
    },
    onSuccess: (saved) => {
      if (!saved) return;
      toast.success(saved.message);
      form.begin(storedOf(saved.settings));
    },
  });
  const now = save.data?.settings ?? settings;
  const [latest] = keys
    .map((key) => settingOf(now, key))
    .sort((a, b) => (b.updated_at ?? "").localeCompare(a.updated_at ?? ""));
  return (
    <Card title={title} description={props.text} footer={<ChangedBy setting={latest!} never={props.never} />}>
      <OperationForm form={form as AnyOperationForm} label={title}>
        {props.children}
        <div>
          <SubmitButton>{props.save}</SubmitButton>
        </div>
      </OperationForm>
      {confirmation}
    </Card>
  );
}
