"use client";

import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { FormEmail } from "@/components/form/form-email";
import { FormField } from "@/components/form/form-field";
import { FormSelect } from "@/components/form/form-select";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useFocusOnMount } from "@/components/form/use-focus-on-mount";
import { useOperationForm } from "@/components/form/use-operation-form";
import { FormAlert } from "@/components/ui/form-alert";
import { RadioGroup } from "@/components/ui/radio-group";
import { INVITATION_DAYS } from "@/server/domains/tenancy/team/policy";
import { MEMBER_KINDS } from "./member-kinds";
import type { Assignable } from "./types";

type MemberKind = (typeof MEMBER_KINDS)[number];

export function InviteMemberForm({
  assignable,
  onInvited,
}: {
  assignable: Assignable;
  onInvited: () => void;
}) {
  const t = useTranslations("team.invite");
  const utils = api.useUtils();
  const { sites } = assignable;
  const form = useOperationForm(() => import("./forms").then((file) => file.inviteForm), {
    defaultValues: {
      name: "",
      email: "",
      kind: sites.length === 0 && assignable.canAddSubUsers ? "subUser" : "agent",
      site_id: sites.length === 1 ? String(sites[0]!.id) : null,
    },
    submit: ({ name, email: address, kind, site_id }) =>
      call.team.invite.mutate({
        body: { name, email: address, site_id: kind === "agent" ? Number(site_id) : null },
      }),
    onSuccess: () => {
      void utils.team.list.invalidate();
      onInvited();
    },
  });
  const isAgent = form.watch("kind") === "agent";
  const kinds = assignable.canAddSubUsers ? MEMBER_KINDS : MEMBER_KINDS.slice(0, 1);
  useFocusOnMount(form, "name");

  return (
    <OperationForm form={form} label={t("title")}>
      <FormField name="name" label={t("name")} autoComplete="off" autoCapitalize="words" />
      <FormEmail name="email" label={t("email")} autoComplete="off" />
      {kinds.length > 1 ? (
        <FormField name="kind" label={t("kind")} group>
          {(control) => (
            <RadioGroup
              cards
              value={control.value as MemberKind}
              onValueChange={control.onChange}
              options={kinds.map((value) => ({
                value,
                label: t(`kinds.${value}`),
                hint: t(`kinds.${value}Hint`),
              }))}
            />
          )}
        </FormField>
      ) : null}
      {isAgent && sites.length === 0 ? <FormAlert tone="info">{t("noSite")}</FormAlert> : null}
      {isAgent && sites.length > 0 ? (
        <FormSelect
          name="site_id"
          label={t("site")}
          placeholder={t("sitePlaceholder")}
          options={sites.map(({ id, name, domain }) => ({ value: String(id), label: name, hint: domain }))}
        />
      ) : null}
      <p className="text-compact text-fg-muted">{t("mail", { days: INVITATION_DAYS })}</p>
      <SubmitButton block>{t("submit")}</SubmitButton>
    </OperationForm>
  );
}
