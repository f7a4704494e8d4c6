"use client";

import { useTranslations } from "next-intl";
import { useWatch } from "react-hook-form";
import { useFormProof } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import { FormCheckbox } from "@/components/form/form-checkbox";
import { FormEmail } from "@/components/form/form-email";
import { FormReason } from "@/components/form/form-reason";
import { FormSelect } from "@/components/form/form-select";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useStoredForm } from "@/components/form/use-stored-form";
import { ROLES, type UserRow } from "./types";

export function RoleForm({ user, onSaved }: { user: UserRow; onSaved: () => void }) {
  const t = useTranslations("admin");
  const utils = api.useUtils();
  const form = useStoredForm(
    () => import("@/server/domains/tenancy/administration/contract").then((file) => file.setUserRole),
    {
      proofPrompt: useFormProof(t("change.title")),
      stored: { role: user.role },
      toFormValues: (stored) => ({ ...stored, reason: "", email: "", agreement_signed: false }),
      submit: (body, expected) =>
        call.administration.setRole.mutate({
          params: { id: String(user.id) },
          body: { ...body, expected },
        }),
      onStale: utils.administration.listUsers.invalidate,
      onSuccess: async () => {
        await utils.administration.listUsers.invalidate();
        onSaved();
      },
    },
  );
  const role = useWatch({ control: form.control, name: "role" });
  return (
    <OperationForm form={form} label={t("change.title")}>
      <p className="text-compact text-fg-muted">{t("change.text")}</p>
      <FormSelect
        name="role"
        label={t("column.role")}
        options={ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
      />
      {role === "reseller" ? (
        <FormCheckbox
          name="agreement_signed"
          label={t("change.agreement")}
          hint={t("change.agreementHint")}
        />
      ) : null}
      <FormReason label={t("change.reason")} hint={t("change.reasonHint")} />
      <FormEmail name="email" label={t("change.email")} hint={t("change.emailHint")} autoComplete="off" />
      <SubmitButton>{t("change.submit")}</SubmitButton>
    </OperationForm>
  );
}
