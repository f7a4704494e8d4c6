"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useFocusOnMount } from "@/components/form/use-focus-on-mount";
import { useOperationForm } from "@/components/form/use-operation-form";
import { LinkButton } from "@/components/ui/link-button";
import { CREDENTIAL_FIELDS_BY_CHANNEL } from "@/server/domains/sites/connections/policy";
import { getReconnectedPath } from "./paths";
import { findRefusedField, isNotFound } from "./refusal";
import { SecretField } from "./secret-field";
import type { Connection } from "./types";
import { useSecretTexts } from "./use-secret-texts";

/** Takes a new token only. A connection that is switched off is switched on. */
export function ReconnectForm({ connection }: { connection: Connection }) {
  const t = useTranslations("connections");
  const router = useRouter();
  const utils = api.useUtils();
  const { id, channel, label, is_active: isActive } = connection;
  const secretTexts = useSecretTexts(channel);
  const fields: { secret?: string } = CREDENTIAL_FIELDS_BY_CHANNEL[channel];
  const form = useOperationForm(
    () => import("@/server/domains/sites/connections/contract").then((file) => file.updateConnection),
    {
      defaultValues: { secret: "" },
      submit: ({ secret }) =>
        call.connections.update.mutate({
          params: { id: String(id) },
          body: { secret, ...(!isActive && { is_active: true }) },
        }),
      onError: (error) => {
        const isOutOfReach = isNotFound(error) && channel !== "email";
        if (!isOutOfReach && findRefusedField(channel, error) !== fields.secret) return false;
        const message = isOutOfReach
          ? t("reconnect.notFound", { name: label })
          : secretTexts.getRefusalText(error);
        form.setError("secret", { type: "server", message }, { shouldFocus: true });
        return true;
      },
      showsSuccessToast: false,
      onSuccess: () => {
        void utils.connections.invalidate();
        router.replace(getReconnectedPath(id));
        // Keeps the button busy until the next page replaces this one.
        return new Promise<void>(() => {});
      },
    },
  );
  useFocusOnMount(form, "secret");
  return (
    <OperationForm form={form} label={t("banner.reconnect")}>
      <SecretField name="secret" label={t(`field.${fields.secret as "bot_token"}`)} hint={secretTexts.hint} />
      <div className="flex flex-wrap justify-end gap-2">
        <LinkButton href="/connections">{t("reconnect.cancel")}</LinkButton>
        <SubmitButton>{t("banner.reconnect")}</SubmitButton>
      </div>
    </OperationForm>
  );
}
