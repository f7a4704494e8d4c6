"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { useFormProof } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import { useErrorText } from "@/components/api/form-error";
import { FormReason } from "@/components/form/form-reason";
import { FormRecordSelect } from "@/components/form/form-record-select";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useStoredForm } from "@/components/form/use-stored-form";
import { ErrorState } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { UserDetail } from "./types";

const DEBOUNCE_MS = 250;

export interface ParentFormProps {
  user: UserDetail;
  onSaved: () => void;
}

export function ParentForm({ user, onSaved }: ParentFormProps) {
  const t = useTranslations("admin.parentChange");
  const tAccess = useTranslations("admin.access");
  const getErrorText = useErrorText();
  const [searchText, setSearchText] = useState("");
  const [debouncedText, setDebouncedText] = useState("");
  useEffect(() => {
    const timer = window.setTimeout(() => setDebouncedText(searchText.trim()), DEBOUNCE_MS);
    return () => window.clearTimeout(timer);
  }, [searchText]);
  const results = api.administration.listUsers.useQuery({
    query: { q: debouncedText || null, is_active: "true", per_page: "20" },
  });
  const form = useStoredForm(
    () => import("@/server/domains/tenancy/administration/contract").then((file) => file.setUserParent),
    {
      proofPrompt: useFormProof(t("title")),
      stored: { parent_user_id: user.parent?.id ?? null },
      toFormValues: (stored) => ({ ...stored, reason: "" }),
      submit: (body, expected) =>
        call.administration.setParent.mutate({
          params: { id: String(user.id) },
          body: { ...body, expected },
        }),
      onSuccess: () => onSaved(),
    },
  );
  if (results.error)
    return <ErrorState onRetry={() => void results.refetch()}>{getErrorText(results.error)}</ErrorState>;
  const eligibleUsers = (results.data?.data ?? []).filter(
    ({ id, role, is_agent_only }) => id !== user.id && role !== "admin" && !is_agent_only,
  );
  const selectedId = form.watch("parent_user_id");
  const candidates = [...(user.parent ? [user.parent] : []), ...eligibleUsers];
  const options = candidates
    .filter(({ id }, index) => candidates.findIndex((candidate) => candidate.id === id) === index)
    .map(({ id, name, email }) => ({ id, label: `${name} (${email})` }));
  const isSelectedMissing = selectedId != null && !options.some(({ id }) => id === selectedId);
  return (
    <OperationForm form={form} label={t("title")}>
      <p className="text-compact text-fg-muted">{t("text")}</p>
      <Field label={t("search")} hint={t("searchHint")}>
        <Input type="search" value={searchText} onChange={({ target }) => setSearchText(target.value)} />
      </Field>
      <FormRecordSelect
        name="parent_user_id"
        label={t("label")}
        noneLabel={t("none")}
        options={
          isSelectedMissing ? [...options, { id: Number(selectedId), label: `${selectedId}` }] : options
        }
      />
      <FormReason label={tAccess("reason")} hint={tAccess("reasonHint")} />
      <SubmitButton>{t("submit")}</SubmitButton>
    </OperationForm>
  );
}
