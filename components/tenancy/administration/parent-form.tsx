"use client";

import { useTranslations } from "next-intl";
import { useFormProof } from "@/components/accounts/users/use-proof-prompt";
import { call } from "@/components/api/client";
import { FormReason } from "@/components/form/form-reason";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useStoredForm } from "@/components/form/use-stored-form";
import { AccountField } from "./account-field";
import type { UserDetail } from "./types";

export interface ParentFormProps {
  user: UserDetail;
  onSaved: () => void;
}

export function ParentForm({ user, onSaved }: ParentFormProps) {
  const t = useTranslations("admin.parentChange");
  const tAccess = useTranslations("admin.access");
  const form = useStoredForm(
    () => import("@/server/domains/tenancy/administration/contract").then((file) => file.setUserParent),
    {
      proofPrompt: useFormProof(t("title")),
      stored: { parent_user_id: user.parent?.id ?? null },
      toFormValues: (stored) => ({ ...stored, reason: "" }),
      submit: (body, expected) =>
        call.administration.setParent.mutate({
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
        name="parent_user_id"
        label={t("label")}
        noneLabel={t("none")}
        filter={{ usable_as: "parent" }}
        currentAccount={user.parent}
        excludedId={user.id}
      />
      <FormReason label={tAccess("reason")} hint={tAccess("reasonHint")} />
      <SubmitButton>{t("submit")}</SubmitButton>
    </OperationForm>
  );
}
