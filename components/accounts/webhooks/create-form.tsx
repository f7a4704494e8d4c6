"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, call } from "@/components/api/client";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";
import { SecretOnce } from "@/components/ui/secret-once";
import type { EventType, Webhook } from "./types";
import { WebhookFields } from "./webhook-fields";

export interface CreateFormProps {
  eventTypes: readonly EventType[];
  /** URL of the receiver in demo mode. */
  sandboxUrl: string | undefined;
  /** Called when the secret is shown. The drawer must stay open until `onDone`. */
  onCreated: (webhook: Webhook) => void;
  onDone: (webhook: Webhook) => void;
}

export function CreateForm({ eventTypes, sandboxUrl, onCreated, onDone }: CreateFormProps) {
  const t = useTranslations("webhooks");
  const utils = api.useUtils();
  const [creation, setCreation] = useState<{ webhook: Webhook; secret: string }>();
  const [isSecretStored, setSecretStored] = useState(false);
  const form = useOperationForm(
    () => import("@/server/domains/accounts/webhooks/contract").then((file) => file.createWebhook),
    {
      defaultValues: { url: "", events: [] as EventType[], description: "" },
      submit: (body) => call.webhooks.create.mutate({ body }),
      showsSuccessToast: false,
      onSuccess: (result) => {
        setCreation(result);
        onCreated(result.webhook);
        void utils.webhooks.list.invalidate();
      },
    },
  );
  if (creation) {
    return (
      <div className="flex flex-col gap-5">
        <SecretOnce secret={creation.secret} label={t("create.secret")} onStoredChange={setSecretStored} />
        <Button variant="primary" block disabled={!isSecretStored} onClick={() => onDone(creation.webhook)}>
          {t("create.next")}
        </Button>
      </div>
    );
  }
  return (
    <OperationForm form={form} label={t("create.open")}>
      {sandboxUrl ? (
        <FormAlert
          tone="info"
          title={t("create.sandbox")}
          action={
            <Button
              size="sm"
              onClick={() => form.setValue("url", sandboxUrl, { shouldDirty: true, shouldValidate: true })}
            >
              {t("create.useSandbox")}
            </Button>
          }
        >
          <span className="break-all">
            <Ltr mono>{sandboxUrl}</Ltr>
          </span>
        </FormAlert>
      ) : null}
      <WebhookFields eventTypes={eventTypes} />
      <SubmitButton block>{t("create.submit")}</SubmitButton>
    </OperationForm>
  );
}
