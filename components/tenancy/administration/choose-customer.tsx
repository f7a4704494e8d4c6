"use client";

import { Search } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api } from "@/components/api/client";
import { useErrorText } from "@/components/api/form-error";
import { CustomerCell } from "@/components/billing/records/customer-cell";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ErrorState } from "@/components/ui/error-state";
import { Input } from "@/components/ui/input";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useDebounced } from "@/components/ui/use-debounced";

export function ChooseCustomer({ onChoose }: { onChoose: (userId: number) => void }) {
  const t = useTranslations("billingAdmin.activation.customer");
  const getErrorText = useErrorText();
  const [searchText, setText] = useState("");
  const debouncedText = useDebounced(searchText.trim());
  const results = api.administration.listUsers.useQuery({
    query: { q: debouncedText || null, is_active: "true", usable_as: "customer", per_page: "20" },
  });
  const users = results.data?.data ?? [];
  return (
    <Card title={t("title")} description={t("text")}>
      <div className="flex flex-col gap-4">
        <search className="max-w-md">
          <Input
            type="search"
            aria-label={t("search")}
            placeholder={t("search")}
            before={<Search />}
            value={searchText}
            onChange={(event) => setText(event.target.value)}
          />
        </search>
        {results.error ? (
          <ErrorState onRetry={() => void results.refetch()}>{getErrorText(results.error)}</ErrorState>
        ) : results.isPending ? (
          <SkeletonRows rowCount={4} />
        ) : (
          <ul className="divide-y divide-border">
            {users.map((user) => (
              <li key={user.id} className="flex flex-wrap items-center justify-between gap-3 py-2">
                <CustomerCell user={user} />
                <Button size="sm" labelSuffix={user.email} onClick={() => onChoose(user.id)}>
                  {t("choose")}
                </Button>
              </li>
            ))}
          </ul>
        )}
        <p role="status" className="text-fg-muted text-sm">
          {results.isSuccess && users.length === 0 ? t("none") : null}
        </p>
      </div>
    </Card>
  );
}
