"use client";

import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useAction } from "@/components/form/use-action";
import { useOperationForm } from "@/components/form/use-operation-form";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Time } from "@/components/ui/time";
import { NOTE_MAX_LENGTH } from "@/server/domains/tenancy/customers/policy";
import type { Notes } from "./types";

export function CustomerNotesCard({ customerId, initialNotes }: { customerId: number; initialNotes: Notes }) {
  const t = useTranslations("customers.notes");
  const utils = api.useUtils();
  const params = { id: String(customerId) };
  const { data } = api.customers.listNotes.useQuery({ params }, { initialData: initialNotes });
  const form = useOperationForm(
    () => import("@/server/domains/tenancy/customers/contract").then((file) => file.addCustomerNote),
    {
      defaultValues: { body: "" },
      submit: (body) => call.customers.addNote.mutate({ params, body }),
      onSuccess: () => {
        form.reset({ body: "" });
        void utils.customers.listNotes.invalidate();
      },
    },
  );
  return (
    <Card title={t("title")} description={t("text")}>
      <div className="flex flex-col gap-6">
        {data.notes.length === 0 ? <p className="text-fg-muted text-sm">{t("none")}</p> : null}
        <ul className="flex flex-col gap-4 empty:hidden">
          {data.notes.map((note) => (
            <NoteItem key={note.id} note={note} />
          ))}
        </ul>
        <OperationForm form={form} label={t("label")}>
          <FormField name="body" as="textarea" rows={3} label={t("label")} max={NOTE_MAX_LENGTH} dir="auto" />
          <SubmitButton>{t("add")}</SubmitButton>
        </OperationForm>
      </div>
    </Card>
  );
}

function NoteItem({ note: { id, body, created_at } }: { note: Notes["notes"][number] }) {
  const t = useTranslations("customers.notes");
  const utils = api.useUtils();
  const remove = useAction(() => call.customers.removeNote.mutate({ params: { id: String(id) } }), {
    onSuccess: () => utils.customers.listNotes.invalidate(),
  });
  return (
    <li className="flex flex-wrap items-start justify-between gap-3 text-sm">
      <span className="min-w-0 flex-1">
        <span dir="auto" className="wrap-anywhere block whitespace-pre-line">
          {body}
        </span>
        <span className="text-compact text-fg-muted">
          <Time value={created_at} />
        </span>
      </span>
      <AlertDialog
        trigger={<Button size="sm">{t("remove")}</Button>}
        title={t("removeTitle")}
        confirmLabel={t("remove")}
        onConfirm={remove.attempt}
      />
    </li>
  );
}
