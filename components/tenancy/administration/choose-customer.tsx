"use client";

import { Search } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { api } from "@/components/api/client";
import { useErrorText } from "@/components/api/form-error";
import { CustomerCell } from "@/components/billing/records/customer-cell";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ErrorState } from "@/components/ui/error-state";
import { Input } from "@/components/ui/input";
import { SkeletonRows } from "@/components/ui/skeleton";

/** Debounce of the search, in milliseconds. */
const TYPING = 250;

/** Searches the account to activate a plan for. */
export function ChooseCustomer({ onChoose }: { onChoose: (user: number) => void }) {
  const t = useTranslations("billingAdmin.activation.customer");
  const errorText = useErrorText();
  const [text, setText] = useState("");
  const [q, setQ] = useState("");
  useEffect(() => {
    const timer = window.setTimeout(() => setQ(text.trim()), TYPING);
    return () => window.clearTimeout(timer);
  }, [text]);
  const found = api.administration.listUsers.useQuery({
    query: { q: q || null, is_active: "true", per_page: "20" },
  });
  const users = (found.data?.data ?? []).filter((user) => !user.is_agent_only && user.role !== "admin");
  return (
    <Card title={t("title")} description={t("text")}>
      <div className="flex flex-col gap-4">
        <search className="max-w-md">
          <Input
            type="search"
            aria-label={t("search")}
            placeholder={t("search")}
            before={<Search />}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </search>
        {found.error ? (
          <ErrorState onRetry={() => void found.refetch()}>{errorText(found.error)}</ErrorState>
        ) : found.isPending ? (
          <SkeletonRows rows={4} />
        ) : (
          <ul className="divide-y divide-border">
            {users.map((user) => (
              <li key={user.id} className="flex flex-wrap items-center justify-between gap-3 py-2">
                <CustomerCell user={user} />
                <Button size="sm" about={user.email} onClick={() => onChoose(user.id)}>
                  {t("choose")}
                </Button>
              </li>
            ))}
          </ul>
        )}
        <p role="status" className="text-fg-muted text-sm">
          {found.isSuccess && users.length === 0 ? t("none") : null}
        </p>
      </div>
    </Card>
  );
}
