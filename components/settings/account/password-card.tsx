"use client";

import { useTranslations } from "next-intl";
import { NewPasswordField } from "@/components/access/sign-in/new-password-field";
import { useProven } from "@/components/accounts/proof/use-proven";
import { api } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Card } from "@/components/ui/card";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import type { Output } from "@/server/core/contract";
import type { getPassword } from "@/server/domains/settings/account/contract";

export interface PasswordCardProps {
  initial: Output<typeof getPassword>;
  email: string;
}

/** Changes the password, or sets the first one; explains what ends with the old one. */
export function PasswordCard({ initial, email }: PasswordCardProps) {
  const t = useTranslations("security.password");
  const utils = api.useUtils();
  const { data } = api.account.getPassword.useQuery(undefined, { initialData: initial });
  const { prove, confirmation } = useProven();
  const update = api.account.updateProfile.useMutation();
  const form = useOperationForm(
    () => import("./forms").then((file) => file.passwordForm(data.has_password)),
    {
      defaultValues: { current_password: "", new_password: "" },
      submit: ({ current_password, new_password }) =>
        prove(t("title"), () => update.mutateAsync({ body: { current_password, new_password } })),
      onSuccess: async (saved) => {
        if (!saved) return;
        toast.success(saved.message);
        form.reset();
        await Promise.all([
          utils.account.getPassword.invalidate(),
          utils.tokens.listSessions.invalidate(),
          utils.tokens.listDevices.invalidate(),
        ]);
      },
      onError: ({ status, message, errors }) => {
        if (status !== 422 || !message || Object.keys(errors).length > 0) return false;
        form.setValue("current_password", "");
        form.setError("current_password", { type: "server", message }, { shouldFocus: true });
        return true;
      },
    },
  );
  return (
    <div id="password">
      <Card
        title={t("title")}
        description={
          data.changed_at
            ? t.rich("changed", { time: () => <Time value={data.changed_at!} /> })
            : t(data.has_password ? "text" : "none")
        }
      >
        <OperationForm form={form} label={t("title")}>
          {/* Tells password managers which account the password belongs to. */}
          <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
          {data.has_password ? (
            <FormField
              name="current_password"
              as="password"
              label={t("current")}
              autoComplete="current-password"
            />
          ) : null}
          <NewPasswordField name="new_password" label={t("next")} email={email} />
          <p className="text-fg-muted text-sm">{t("ends")}</p>
          <div>
            <SubmitButton variant="secondary">{t(data.has_password ? "submit" : "set")}</SubmitButton>
          </div>
        </OperationForm>
        {confirmation}
      </Card>
    </div>
  );
}
