"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useFocusOnMount } from "@/components/form/use-focus-on-mount";
import { useOperationForm } from "@/components/form/use-operation-form";
import { LinkButton } from "@/components/ui/link-button";
import { RadioGroup } from "@/components/ui/radio-group";
import {
  type ConnectableChannel,
  CREDENTIAL_FIELDS_BY_CHANNEL,
  MAIL_PORTS,
  STARTTLS_PORT,
} from "@/server/domains/sites/connections/policy";
import { LinkedSiteField, LinkedSitesField } from "./linked-sites-field";
import { getConnectedPath, getWizardPath } from "./paths";
import { findRefusedField, isNotFound } from "./refusal";
import { SecretField } from "./secret-field";
import type { OwnSite } from "./types";
import { useSecretTexts } from "./use-secret-texts";

export interface ConnectFormProps {
  channel: ConnectableChannel;
  /** Sites that can be linked. */
  sites: readonly OwnSite[];
  siteIds: readonly number[];
}

export function ConnectForm({ channel, sites, siteIds }: ConnectFormProps) {
  const t = useTranslations("connections");
  const router = useRouter();
  const utils = api.useUtils();
  const secretTexts = useSecretTexts(channel);
  const { secret, config, account, remote }: ChannelFieldNames = CREDENTIAL_FIELDS_BY_CHANNEL[channel];
  const publicFields = [config, account, remote].filter((name) => name !== undefined);
  const form = useOperationForm(
    () => import("@/server/domains/sites/connections/contract").then((file) => file.createConnection),
    {
      defaultValues: { channel, site_ids: [...siteIds], ...(channel === "email" && { port: MAIL_PORTS[0] }) },
      submit: (values) => call.connections.create.mutate({ body: { ...values, channel } }),
      onError: (error) => {
        const field = findRefusedField(channel, error);
        if (!field) return false;
        const message =
          field === "host" && isNotFound(error)
            ? t("connect.unknownServer")
            : secretTexts.getRefusalText(error);
        form.setError(field as "bot_token", { type: "server", message }, { shouldFocus: true });
        return true;
      },
      showsSuccessToast: false,
      onSuccess: ({ connection }) => {
        void utils.connections.invalidate();
        router.replace(getConnectedPath(connection.id));
        // Keeps the button busy until the next page replaces this one.
        return new Promise<void>(() => {});
      },
    },
  );
  useFocusOnMount(form, (publicFields[0] ?? secret) as "label" | undefined);
  return (
    <OperationForm form={form} label={t("connect.title")}>
      {publicFields.map((name) => (
        <FormField
          key={name}
          name={name}
          label={t(`field.${name as "page_id"}`)}
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
        />
      ))}
      {channel === "email" ? (
        <FormField name="port" label={t("field.port")} group>
          {({ value, onChange }) => (
            <RadioGroup
              options={MAIL_PORTS.map((port) => ({
                value: String(port),
                label: t(port === STARTTLS_PORT ? "port.starttls" : "port.tls"),
              }))}
              value={String(value)}
              onValueChange={(port) => onChange(Number(port))}
            />
          )}
        </FormField>
      ) : null}
      {secret ? (
        <SecretField name={secret} label={t(`field.${secret as "bot_token"}`)} hint={secretTexts.hint} />
      ) : null}
      {channel === "web_chat" ? (
        <LinkedSiteField label={t("connect.site")} sites={sites} />
      ) : sites.length > 0 ? (
        <LinkedSitesField label={t("connect.sites")} sites={sites} />
      ) : null}
      <FormField
        name="label"
        label={t("column.label")}
        hint={channel === "web_chat" ? undefined : t("connect.labelHint")}
        optional
        autoComplete="off"
      />
      <div className="flex flex-wrap justify-end gap-2">
        <LinkButton href={getWizardPath()}>{t("connect.back")}</LinkButton>
        <SubmitButton>{t("connect.submit")}</SubmitButton>
      </div>
    </OperationForm>
  );
}

interface ChannelFieldNames {
  remote?: string;
  account?: string;
  secret?: string;
  config?: string;
}
