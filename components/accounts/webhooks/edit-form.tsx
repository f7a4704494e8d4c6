"use client";

import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useStoredForm } from "@/components/form/use-stored-form";
import type { EventType, Webhook } from "./types";
import { WebhookFields } from "./webhook-fields";

const toStoredValues = ({ url, events, description }: Webhook) => ({ url, events, description });

export function EditForm({
  webhook,
  eventTypes,
  onSaved,
}: {
  webhook: Webhook;
  eventTypes: readonly EventType[];
  onSaved: () => void;
}) {
  const t = useTranslations("webhooks.edit");
  const utils = api.useUtils();
  const form = useStoredForm(
    () => import("@/server/domains/accounts/webhooks/contract").then((file) => file.updateWebhook),
    {
      stored: toStoredValues(webhook),
      toFormValues: (stored) => ({ ...stored, description: stored.description ?? "" }),
      submit: ({ url, events, description }, expected) =>
        call.webhooks.update.mutate({
          params: { id: String(webhook.id) },
          body: { url, events, description, expected },
        }),
      onStale: () => utils.webhooks.get.invalidate(),
      onSuccess: async () => {
        await utils.webhooks.invalidate();
        onSaved();
      },
    },
  );
  return (
    <OperationForm form={form} label={t("title")}>
      <WebhookFields eventTypes={eventTypes} />
      <SubmitButton block>{t("save")}</SubmitButton>
    </OperationForm>
  );
}
