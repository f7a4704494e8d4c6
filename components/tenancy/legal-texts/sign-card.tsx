"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useFormProof } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import { FormCheckbox } from "@/components/form/form-checkbox";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Card } from "@/components/ui/card";
import type { Agreement } from "./types";

export function SignCard({ agreement, accountName }: { agreement: Agreement; accountName: string }) {
  const t = useTranslations("agreement");
  const router = useRouter();
  const utils = api.useUtils();
  const form = useOperationForm(() => import("./forms").then((file) => file.signForm), {
    proofPrompt: useFormProof(t("sign")),
    defaultValues: { typed_name: "", accepted: false },
    submit: (body) => call.legalTexts.signAgreement.mutate({ body: { ...body, version: agreement.version } }),
    onSuccess: async () => {
      await utils.legalTexts.getAgreement.invalidate();
      router.refresh();
    },
  });
  return (
    <Card title={t("sign")}>
      <OperationForm form={form} label={t("sign")}>
        <FormField
          name="typed_name"
          label={t("name")}
          hint={t("nameHint", { name: accountName })}
          dir="auto"
          autoComplete="off"
        />
        <FormCheckbox name="accepted" label={t("accept")} />
        <SubmitButton>{t("sign")}</SubmitButton>
      </OperationForm>
    </Card>
  );
}
