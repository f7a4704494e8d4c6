"use client";

import { useTranslations } from "next-intl";
import { PhoneField } from "@/components/access/verification/phone-field";
import { api, call } from "@/components/api/client";
import { FormEmail } from "@/components/form/form-email";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useFocusOnMount } from "@/components/form/use-focus-on-mount";
import { useOperationForm } from "@/components/form/use-operation-form";
import { INVITATION_DAYS } from "@/server/domains/tenancy/customers/policy";

export function InviteCustomerForm({ onInvited }: { onInvited: () => void }) {
  const t = useTranslations("team.invite");
  const tCustomer = useTranslations("customers.invite");
  const utils = api.useUtils();
  const form = useOperationForm(
    () => import("@/server/domains/tenancy/customers/contract").then((file) => file.inviteCustomer),
    {
      defaultValues: { name: "", email: "", phone: "" },
      submit: (body) => call.customers.invite.mutate({ body }),
      onSuccess: () => {
        void utils.customers.listInvitations.invalidate();
        onInvited();
      },
    },
  );
  useFocusOnMount(form, "name");
  return (
    <OperationForm form={form} label={tCustomer("open")}>
      <FormField name="name" label={t("name")} autoComplete="off" autoCapitalize="words" />
      <FormEmail name="email" label={t("email")} autoComplete="off" />
      <PhoneField label={tCustomer("phone")} optional autoComplete="off" receivesTexts />
      <p className="text-compact text-fg-muted">{t("mail", { days: INVITATION_DAYS })}</p>
      <SubmitButton block>{t("submit")}</SubmitButton>
    </OperationForm>
  );
}
