"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useProof } from "@/components/accounts/users/use-proven";
import { api, call } from "@/components/api/client";
import { FormReason } from "@/components/form/form-reason";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { FormAlert } from "@/components/ui/form-alert";
import type { BulkAction, BulkResult, UserRow } from "./types";

export interface BulkFormProps {
  action: BulkAction;
  users: readonly UserRow[];
  plan: BulkResult;
  onDone: () => void;
}

/** Shows the effects of a bulk action, asks for a reason and then shows the results. */
export function BulkForm({ action, users, plan, onDone }: BulkFormProps) {
  const t = useTranslations("admin");
  const utils = api.useUtils();
  const [done, setDone] = useState<BulkResult>();
  const form = useOperationForm(() => import("./forms").then((file) => file.reasonForm), {
    proof: useProof(t("bulk.title", { action })),
    defaultValues: { reason: "" },
    submit: ({ reason }) =>
      call.administration.changeUsers.mutate({
        body: { ids: users.map(({ id }) => id), action, reason, dry_run: false },
      }),
    success: false,
    onSuccess: (answer) => {
      setDone(answer);
      void utils.administration.invalidate();
      void utils.signIn.invalidate();
      onDone();
    },
  });
  if (done)
    return (
      <div className="flex flex-col gap-4">
        <FormAlert tone="success">{t("bulk.done", { count: done.changed_count })}</FormAlert>
        <Refused answer={done} users={users} />
      </div>
    );
  const { reach } = plan;
  const unchanged = plan.results.filter(({ ok, changed }) => ok && !changed).length;
  return (
    <div className="flex flex-col gap-4">
      <ul className="list-disc space-y-1 ps-5 text-sm">
        {plan.changed_count > 0 ? (
          <li>{t("bulk.changes", { count: plan.changed_count })}</li>
        ) : (
          <li>{t("bulk.nothing")}</li>
        )}
        {unchanged > 0 ? <li>{t("bulk.unchanged", { count: unchanged })}</li> : null}
        {reach.sign_ins > 0 ? <li>{t("bulk.signIns", { count: reach.sign_ins })}</li> : null}
        {reach.api_keys > 0 ? <li>{t("bulk.apiKeys", { count: reach.api_keys })}</li> : null}
        {reach.sites > 0 ? <li>{t("bulk.sites", { count: reach.sites })}</li> : null}
        {reach.administrators > 0 ? (
          <li className="font-medium">{t("bulk.administrators", { count: reach.administrators })}</li>
        ) : null}
      </ul>
      <Refused answer={plan} users={users} />
      {plan.changed_count > 0 ? (
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

function Refused({ answer, users }: { answer: BulkResult; users: readonly UserRow[] }) {
  const t = useTranslations("admin.bulk");
  const refused = answer.results.filter(({ ok }) => !ok);
  if (refused.length === 0) return null;
  return (
    <ul className="space-y-1 text-compact text-fg-muted">
      {refused.map(({ id, error }) => (
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
