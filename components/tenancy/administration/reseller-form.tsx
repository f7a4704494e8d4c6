"use client";

import { useTranslations } from "next-intl";
import { useFormProof } from "@/components/accounts/users/use-proof-prompt";
import { call } from "@/components/api/client";
import { FormReason } from "@/components/form/form-reason";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useStoredForm } from "@/components/form/use-stored-form";
import { AccountField } from "./account-field";
import type { UserDetail } from "./types";

export interface ResellerFormProps {
  user: UserDetail;
  onSaved: () => void;
}

export function ResellerForm({ user, onSaved }: ResellerFormProps) {
  const t = useTranslations("admin.resellerChange");
  const tAccess = useTranslations("admin.access");
  const form = useStoredForm(
    () => import("@/server/domains/tenancy/administration/contract").then((file) => file.setUserReseller),
    {
      proofPrompt: useFormProof(t("title")),
      stored: { reseller_id: user.reseller?.id ?? null },
      toFormValues: (stored) => ({ ...stored, reason: "" }),
      submit: (body, expected) =>
        call.administration.setReseller.mutate({
          params: { id: String(user.id) },
          body: { ...body, expected },
        }),
      onSuccess: () => onSaved(),
    },
  );
  return (
    <OperationForm form={form} label={t("title")}>
      <p className="text-compact text-fg-muted">{t("text")}</p>
      <AccountField
        name="reseller_id"
        label={t("label")}
        noneLabel={t("none")}
        filter={{ role: "reseller" }}
        currentAccount={user.reseller}
        excludedId={user.id}
      />
      <FormReason label={tAccess("reason")} hint={tAccess("reasonHint")} />
      <SubmitButton>{t("submit")}</SubmitButton>
    </OperationForm>
  );
}
