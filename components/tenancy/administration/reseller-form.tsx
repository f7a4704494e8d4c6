"use client";

import { useTranslations } from "next-intl";
import { useFormProof } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import { useErrorText } from "@/components/api/form-error";
import { FormReason } from "@/components/form/form-reason";
import { FormRecordSelect } from "@/components/form/form-record-select";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useStoredForm } from "@/components/form/use-stored-form";
import { ErrorState } from "@/components/ui/error-state";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { UserDetail } from "./types";

const MAX_PAGE_SIZE = "500";

export interface ResellerFormProps {
  user: UserDetail;
  onSaved: () => void;
}

export function ResellerForm({ user, onSaved }: ResellerFormProps) {
  const t = useTranslations("admin");
  const getErrorText = useErrorText();
  const resellers = api.administration.listUsers.useQuery({
    query: { role: "reseller", is_active: "true", sort: "email", per_page: MAX_PAGE_SIZE },
  });
  const form = useStoredForm(
    () => import("@/server/domains/tenancy/administration/contract").then((file) => file.setUserReseller),
    {
      proofPrompt: useFormProof(t("resellerChange.title")),
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
  if (resellers.error)
    return <ErrorState onRetry={() => void resellers.refetch()}>{getErrorText(resellers.error)}</ErrorState>;
  if (!resellers.data) return <SkeletonRows rowCount={3} />;
  const activeOptions = resellers.data.data.map(({ id, name, email }) => ({
    id,
    label: `${name} (${email})`,
  }));
  const currentReseller = user.reseller;
  const options =
    currentReseller && !activeOptions.some(({ id }) => id === currentReseller.id)
      ? [
          { id: currentReseller.id, label: `${currentReseller.name} (${currentReseller.email})` },
          ...activeOptions,
        ]
      : activeOptions;
  return (
    <OperationForm form={form} label={t("resellerChange.title")}>
      <p className="text-compact text-fg-muted">{t("resellerChange.text")}</p>
      <FormRecordSelect
        name="reseller_id"
        label={t("resellerChange.label")}
        noneLabel={t("resellerChange.none")}
        options={options}
      />
      <FormReason label={t("access.reason")} hint={t("access.reasonHint")} />
      <SubmitButton>{t("resellerChange.submit")}</SubmitButton>
    </OperationForm>
  );
}
