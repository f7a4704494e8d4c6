"use client";

import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { api, call } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { FormSelect } from "@/components/form/form-select";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Select } from "@/components/ui/select";
import {
  CONNECTABLE_CHANNELS,
  type ConnectableChannel,
  CREDENTIAL_FIELDS_BY_CHANNEL,
  MAIL_PORTS,
  STARTTLS_PORT,
} from "@/server/domains/sites/connections/policy";
import { LinkedSitesField } from "./linked-sites-field";
import type { OwnSite } from "./types";

const ALL_FIELDS = [
  ...new Set(Object.values(CREDENTIAL_FIELDS_BY_CHANNEL).flatMap((fields) => Object.values(fields))),
];

export function ConnectForm({ sites, onConnected }: { sites: readonly OwnSite[]; onConnected: () => void }) {
  const t = useTranslations("connections");
  const utils = api.useUtils();
  const form = useOperationForm(
    () => import("@/server/domains/sites/connections/contract").then((file) => file.createConnection),
    {
      defaultValues: { channel: "telegram", port: MAIL_PORTS[0], site_ids: [] },
      submit: ({ channel, site_ids, label, port, ...values }) => {
        const { secret, ...publicFields }: ChannelFieldNames = CREDENTIAL_FIELDS_BY_CHANNEL[channel];
        const fieldNames = [...Object.values(publicFields), secret].filter((name) => name !== undefined);
        const fields = Object.fromEntries(
          fieldNames.map((name) => [name, values[name as keyof typeof values]]),
        );
        const mailFields = channel === "email" ? { port } : {};
        return call.connections.create.mutate({
          body: { channel, site_ids, label, ...mailFields, ...fields },
        });
      },
      onSuccess: () => {
        void utils.connections.list.invalidate();
        onConnected();
      },
    },
  );
  const channel = form.watch("channel") as ConnectableChannel;
  const { unregister } = form;
  // Unregister the fields of other channels, because hidden values would be validated.
  useEffect(() => {
    const fieldNames: string[] = Object.values(CREDENTIAL_FIELDS_BY_CHANNEL[channel]);
    const otherFields = ALL_FIELDS.filter((name) => !fieldNames.includes(name));
    // `keepDirty`: otherwise the form would ask before it closes.
    unregister(otherFields, { keepDirty: true });
  }, [channel, unregister]);
  const { secret, config, account, remote }: ChannelFieldNames = CREDENTIAL_FIELDS_BY_CHANNEL[channel];
  return (
    <OperationForm form={form} label={t("connect.title")}>
      <FormSelect
        name="channel"
        label={t("column.channel")}
        options={CONNECTABLE_CHANNELS.map((channelOption) => ({
          value: channelOption,
          label: t(`channel.${channelOption}`),
        }))}
      />
      {[config, account, remote].map((name) =>
        name ? (
          <FormField
            key={`${channel} ${name}`}
            name={name}
            label={t(`field.${name as "page_id"}`)}
            autoComplete="off"
            dir="ltr"
          />
        ) : null,
      )}
      {channel === "email" ? (
        <FormField name="port" label={t("field.port")}>
          {({ value, onChange, ...control }) => (
            <Select
              {...control}
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
        <FormField
          key={`${channel} ${secret}`}
          name={secret}
          as="password"
          label={t(`field.${secret as "bot_token"}`)}
          hint={t(channel === "email" ? "connect.passwordHint" : "connect.secretHint")}
          autoComplete="new-password"
          data-1p-ignore
          data-lpignore="true"
          dir="ltr"
        />
      ) : null}
      {sites.length > 0 ? <LinkedSitesField label={t("column.sites")} sites={sites} /> : null}
      <FormField
        name="label"
        label={t("column.label")}
        hint={channel === "web_chat" ? undefined : t("connect.labelHint")}
        optional
        autoComplete="off"
      />
      <SubmitButton block>{t("connect.submit")}</SubmitButton>
    </OperationForm>
  );
}

interface ChannelFieldNames {
  remote?: string;
  account?: string;
  secret?: string;
  config?: string;
}
