"use client";

import { useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { FormSelect } from "@/components/form/form-select";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { toast } from "@/components/ui/toast";
import { boxesOf, ModulesField, modulesOf } from "./modules-field";
import type { Assignable, Member } from "./types";

/** The site and the modules of a member. */
export function EditForm({
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
  const update = api.team.update.useMutation();
  const { modules: own } = assignable;
  const form = useOperationForm(() => import("./forms").then((file) => file.editForm), {
    defaultValues: {
      site_id: member.site ? String(member.site.id) : null,
      modules: boxesOf(member.allowed_modules, own),
    },
    submit: ({ site_id, modules }) =>
      update.mutateAsync({
        params: { id: String(member.id) },
        body: {
          site_id: member.is_agent_only && site_id ? Number(site_id) : null,
          allowed_modules: modulesOf(modules, own),
        },
      }),
    onSuccess: ({ message }) => {
      toast.success(message);
      void utils.team.list.invalidate();
      onSaved();
    },
  });
  return (
    <OperationForm form={form}>
      {member.is_agent_only && assignable.sites.length > 0 ? (
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
      ) : null}
      {own.length > 0 ? <ModulesField own={own} /> : null}
      <SubmitButton block>{t("edit.submit")}</SubmitButton>
    </OperationForm>
  );
}
