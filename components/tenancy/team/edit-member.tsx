"use client";

import { useTranslations } from "next-intl";
import * as z from "zod";
import { api } from "@/components/api/client";
import { FormSelect } from "@/components/form/form-select";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Drawer } from "@/components/ui/drawer";
import { toast } from "@/components/ui/toast";
import { updateMember } from "@/server/domains/tenancy/team/contract";
import { boxesOf, ModuleBoxes, ModulesField, modulesOf } from "./modules-field";
import type { Assignable, Member } from "./types";

/** The operation's site and modules as they are chosen. */
const editForm = {
  id: updateMember.id,
  body: z.object({ site_id: z.string().nullish(), modules: ModuleBoxes }),
};

export interface EditMemberProps {
  member: Member;
  assignable: Assignable;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Changes an agent's site and a member's modules. */
export function EditMember({ member, assignable, open, onOpenChange }: EditMemberProps) {
  const t = useTranslations("team.edit");
  return (
    <Drawer
      open={open}
      onOpenChange={onOpenChange}
      title={t.rich("title", { name: () => <bdi>{member.name}</bdi> })}
    >
      <EditForm member={member} assignable={assignable} onSaved={() => onOpenChange(false)} />
    </Drawer>
  );
}

function EditForm({
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
  const form = useOperationForm(editForm, {
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
