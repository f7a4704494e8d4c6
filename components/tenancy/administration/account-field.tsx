"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { api } from "@/components/api/client";
import { useErrorText } from "@/components/api/form-error";
import { FormRecordSelect } from "@/components/form/form-record-select";
import { useOperationFormContext } from "@/components/form/operation-form";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { Input } from "@/components/ui/input";
import { useDebounced } from "@/components/ui/use-debounced";
import type { UserDetail } from "./types";

const OPTION_COUNT = 20;

type RelatedAccount = NonNullable<UserDetail["parent"]>;

export interface AccountFieldProps {
  name: string;
  label: string;
  noneLabel: string;
  /** Restricts the search to accounts that the API accepts. */
  filter: { role: "reseller" } | { usable_as: "parent" };
  currentAccount: RelatedAccount | null;
  /** Account being edited, which cannot be related to itself. */
  excludedId: number;
}

/** Chooses one of many accounts: a search field and a select of the matches. */
export function AccountField(props: AccountFieldProps) {
  const { name, label, noneLabel, filter, currentAccount, excludedId } = props;
  const t = useTranslations("admin.accountField");
  const tError = useTranslations("ui.error");
  const getErrorText = useErrorText();
  const [searchText, setSearchText] = useState("");
  const results = api.administration.listUsers.useQuery(
    {
      query: {
        ...filter,
        q: useDebounced(searchText.trim()) || null,
        is_active: "true",
        per_page: String(OPTION_COUNT),
      },
    },
    { placeholderData: keepPreviousData },
  );
  const selectedId = useOperationFormContext().watch(name) as number | null;
  const seenAccounts = useRef(new Map(currentAccount ? [[currentAccount.id, currentAccount]] : []));
  const foundAccounts = (results.data?.data ?? []).filter(({ id }) => id !== excludedId);
  for (const account of foundAccounts) seenAccounts.current.set(account.id, account);
  const selectedAccount = selectedId === null ? undefined : seenAccounts.current.get(selectedId);
  const isSelectedFound = foundAccounts.some(({ id }) => id === selectedId);
  const options = selectedAccount && !isSelectedFound ? [selectedAccount, ...foundAccounts] : foundAccounts;
  const hiddenCount = (results.data?.meta.total ?? 0) - (results.data?.data.length ?? 0);
  return (
    <>
      <Field label={t("search")} hint={t("searchHint")}>
        <Input
          type="search"
          maxLength={100}
          value={searchText}
          onChange={({ target }) => setSearchText(target.value)}
          // Enter would submit the form around the search.
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        />
      </Field>
      {results.error ? (
        <FormAlert
          tone="danger"
          action={
            <Button size="sm" onClick={() => void results.refetch()}>
              {tError("retry")}
            </Button>
          }
        >
          {getErrorText(results.error)}
        </FormAlert>
      ) : null}
      <FormRecordSelect
        name={name}
        label={label}
        noneLabel={noneLabel}
        hint={hiddenCount > 0 ? t("more", { count: hiddenCount }) : undefined}
        options={options.map(({ id, name, email }) => ({ id, label: `${name} (${email})` }))}
      />
    </>
  );
}
