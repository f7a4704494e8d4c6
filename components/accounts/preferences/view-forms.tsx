"use client";

import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { type AnyOperationForm, useOperationForm } from "@/components/form/use-operation-form";
import { Button } from "@/components/ui/button";
import { MAX_VIEW_NAME_LENGTH, type SavedViewList } from "@/server/domains/accounts/preferences/policy";
import type { SavedView } from "./saved-view";

interface NewViewFormProps {
  list: SavedViewList;
  query: string;
  onDone: () => void;
}

export function NewViewForm({ list, query, onDone }: NewViewFormProps) {
  const t = useTranslations("savedViews");
  const utils = api.useUtils();
  const form = useOperationForm(() => import("./forms").then((file) => file.createViewForm), {
    defaultValues: { name: "" },
    submit: ({ name }) => call.preferences.createView.mutate({ body: { list, name, query } }),
    onSuccess: async () => {
      await utils.preferences.listViews.invalidate();
      onDone();
    },
  });
  return <ViewNameForm form={form} hint={t("hint")} submitLabel={t("save")} onCancel={onDone} />;
}

export function RenameViewForm({ view, onDone }: { view: SavedView; onDone: () => void }) {
  const t = useTranslations("savedViews");
  const utils = api.useUtils();
  const form = useOperationForm(() => import("./forms").then((file) => file.renameViewForm), {
    defaultValues: { name: view.name },
    submit: (body) => call.preferences.renameView.mutate({ params: { id: String(view.id) }, body }),
    onSuccess: async () => {
      await utils.preferences.listViews.invalidate();
      onDone();
    },
  });
  return <ViewNameForm form={form} submitLabel={t("keep")} onCancel={onDone} />;
}

interface ViewNameFormProps {
  form: AnyOperationForm;
  hint?: string;
  submitLabel: string;
  onCancel: () => void;
}

function ViewNameForm({ form, hint, submitLabel, onCancel }: ViewNameFormProps) {
  const t = useTranslations("savedViews");
  return (
    <OperationForm form={form} label={t("name")}>
      <div className="max-w-md">
        <FormField
          name="name"
          label={t("name")}
          hint={hint}
          maxLength={MAX_VIEW_NAME_LENGTH}
          autoComplete="off"
          autoFocus
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <SubmitButton>{submitLabel}</SubmitButton>
        <Button onClick={onCancel}>{t("cancel")}</Button>
      </div>
    </OperationForm>
  );
}
