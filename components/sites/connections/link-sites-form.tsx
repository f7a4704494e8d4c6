"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { LinkedSitesField } from "./linked-sites-field";
import type { OwnSite } from "./types";

/** Links sites to a connection that has none. */
export function LinkSitesForm({ id, sites }: { id: number; sites: readonly OwnSite[] }) {
  const t = useTranslations("connections");
  const router = useRouter();
  const utils = api.useUtils();
  const form = useOperationForm(
    () => import("@/server/domains/sites/connections/contract").then((file) => file.updateConnection),
    {
      defaultValues: { site_ids: sites.length === 1 ? [sites[0]!.id] : [] },
      submit: ({ site_ids }) =>
        call.connections.update.mutate({ params: { id: String(id) }, body: { site_ids } }),
      onSuccess: () => {
        void utils.connections.invalidate();
        router.refresh();
      },
    },
  );
  return (
    <OperationForm form={form} label={t("link.submit")}>
      <LinkedSitesField label={t("connect.sites")} sites={sites} />
      <SubmitButton>{t("link.submit")}</SubmitButton>
    </OperationForm>
  );
}
