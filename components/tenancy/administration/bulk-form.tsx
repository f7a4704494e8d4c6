"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useFormProof } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import { FormReason } from "@/components/form/form-reason";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { FormAlert } from "@/components/ui/form-alert";
import type { BulkAction, BulkResult, UserRow } from "./types";

export interface BulkFormProps {
  action: BulkAction;
  users: readonly UserRow[];
  forecast: BulkResult;
  onDone: () => void;
}

/** Shows the dry run, asks for a reason, then shows the result. Refused accounts do not stop the others. */
export function BulkForm({ action, users, forecast, onDone }: BulkFormProps) {
  const t = useTranslations("admin");
  const utils = api.useUtils();
  const [result, setResult] = useState<BulkResult>();
  const form = useOperationForm(() => import("./forms").then((file) => file.reasonForm), {
    proofPrompt: useFormProof(t("bulk.title", { action })),
    defaultValues: { reason: "" },
    submit: ({ reason }) =>
      call.administration.changeUsers.mutate({
        body: { ids: users.map(({ id }) => id), action, reason, dry_run: false },
      }),
    showsSuccessToast: false,
    onSuccess: (response) => {
      setResult(response);
      void utils.administration.invalidate();
      void utils.signIn.invalidate();
      onDone();
    },
  });
  if (result)
    return (
      <div className="flex flex-col gap-4">
        <FormAlert tone="success">{t("bulk.done", { count: result.changed_count })}</FormAlert>
        <RefusedAccounts response={result} users={users} />
      </div>
    );
  const { reach } = forecast;
  const unchangedCount = forecast.results.filter(({ ok, changed }) => ok && !changed).length;
  return (
    <div className="flex flex-col gap-4">
      <ul className="list-disc space-y-1 ps-5 text-sm">
        {forecast.changed_count > 0 ? (
          <li>{t("bulk.changes", { count: forecast.changed_count })}</li>
        ) : (
          <li>{t("bulk.nothing")}</li>
        )}
        {unchangedCount > 0 ? <li>{t("bulk.unchanged", { count: unchangedCount })}</li> : null}
        {reach.sign_ins > 0 ? <li>{t("bulk.signIns", { count: reach.sign_ins })}</li> : null}
        {reach.api_keys > 0 ? <li>{t("bulk.apiKeys", { count: reach.api_keys })}</li> : null}
        {reach.sites > 0 ? <li>{t("bulk.sites", { count: reach.sites })}</li> : null}
        {reach.administrators > 0 ? (
          <li className="font-medium">{t("bulk.administrators", { count: reach.administrators })}</li>
        ) : null}
      </ul>
      <RefusedAccounts response={forecast} users={users} />
      {forecast.changed_count > 0 ? (
        <OperationForm form={form} label={t("bulk.title", { action })}>
          <FormReason label={t("access.reason")} hint={t("access.reasonHint")} />
          <SubmitButton variant={action === "activate" ? "primary" : "danger"}>
            {t("bulk.title", { action })}
          </SubmitButton>
        </OperationForm>
      ) : null}
    </div>
  );
}

function RefusedAccounts({ response, users }: { response: BulkResult; users: readonly UserRow[] }) {
  const t = useTranslations("admin.bulk");
  const refusals = response.results.filter(({ ok }) => !ok);
  if (refusals.length === 0) return null;
  return (
    <ul className="space-y-1 text-compact text-fg-muted">
      {refusals.map(({ id, error }) => (
        <li key={id}>
          {t("refused", {
            name: users.find((user) => user.id === id)?.name ?? String(id),
            reason: error ?? "",
          })}
        </li>
      ))}
    </ul>
  );
}
