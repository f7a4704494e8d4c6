"use client";

import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { LinkButton } from "@/components/ui/link-button";
import { LinkedSitesField } from "./linked-sites-field";
import { getReconnectPath } from "./paths";
import type { Connection, OwnSite } from "./types";

export interface EditConnectionFormProps {
  connection: Connection;
  sites?: readonly OwnSite[];
  onSaved: () => void;
}

export function EditConnectionForm({ connection, sites, onSaved }: EditConnectionFormProps) {
  const t = useTranslations("connections");
  const utils = api.useUtils();
  const { id, label, linked_sites: linkedSites, channel } = connection;
  const canLinkSites = sites && sites.length > 0 && channel !== "web_chat";
  const form = useOperationForm(
    () => import("@/server/domains/sites/connections/contract").then((file) => file.updateConnection),
    {
      defaultValues: { label, site_ids: linkedSites.map((site) => site.id) },
      submit: ({ label: newLabel, site_ids }) =>
        call.connections.update.mutate({
          params: { id: String(id) },
          body: { label: newLabel, ...(canLinkSites && { site_ids }) },
        }),
      onSuccess: async () => {
        await utils.connections.list.invalidate();
        onSaved();
      },
    },
  );
  return (
    <OperationForm form={form} label={t("menu.edit")}>
      <FormField name="label" label={t("column.label")} autoComplete="off" />
      {canLinkSites ? <LinkedSitesField label={t("column.sites")} sites={sites} /> : null}
      <SubmitButton block>{t("edit.save")}</SubmitButton>
      {channel === "web_chat" ? null : (
        <LinkButton variant="ghost" block icon={<KeyRound />} href={getReconnectPath(id)}>
          {t(channel === "email" ? "edit.password" : "edit.secret")}
        </LinkButton>
      )}
    </OperationForm>
  );
}
