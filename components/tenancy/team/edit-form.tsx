"use client";

import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { FormSelect } from "@/components/form/form-select";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useStoredForm } from "@/components/form/use-stored-form";
import type { Assignable, Member } from "./types";

export function EditMemberForm({
  member,
  assignable,
  onSaved,
}: {
  member: Member;
  assignable: Assignable;
  onSaved: () => void;
}) {
  const t = useTranslations("team");
  const utils = api.useUtils();
  const form = useStoredForm(() => import("./forms").then((file) => file.memberSiteForm), {
    stored: { site_id: member.site?.id ?? null },
    toFormValues: ({ site_id }) => ({ site_id: site_id === null ? undefined : String(site_id) }),
    submit: ({ site_id }, expected) =>
      call.team.update.mutate({
        params: { id: String(member.id) },
        body: { site_id: Number(site_id), expected },
      }),
    onStale: utils.team.list.invalidate,
    onSuccess: async () => {
      await utils.team.list.invalidate();
      onSaved();
    },
  });
  return (
    <OperationForm form={form}>
      <FormSelect
        name="site_id"
        label={t("invite.site")}
        hint={t("edit.siteHint")}
        placeholder={t("invite.sitePlaceholder")}
        options={assignable.sites.map(({ id, name, domain }) => ({
          value: String(id),
          label: name,
          hint: domain,
        }))}
      />
      <SubmitButton block>{t("edit.submit")}</SubmitButton>
    </OperationForm>
  );
}
