"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Disclosure } from "@/components/ui/disclosure";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

export const AUDIT_FILTERS = ["ip", "request_id", "on_behalf_of"] as const;
type Filters = Partial<Record<(typeof AUDIT_FILTERS)[number], string | null>>;

export function AuditFilters({ view, onApply }: { view: Filters; onApply: (next: Filters) => void }) {
  const t = useTranslations("auditLog.filter");
  const [inputValues, setInputValues] = useState<Filters>({});
  const getFilterValue = (name: keyof Filters) => inputValues[name] ?? view[name] ?? "";
  return (
    <Disclosure label={t("more")}>
      <form
        method="post"
        className="mt-2 grid gap-3 sm:grid-cols-3"
        onSubmit={(event) => {
          event.preventDefault();
          onApply(
            Object.fromEntries(AUDIT_FILTERS.map((name) => [name, getFilterValue(name).trim() || null])),
          );
          setInputValues({});
        }}
      >
        {AUDIT_FILTERS.map((name) => (
          <Field key={name} label={t(name)}>
            <Input
              inputMode={name === "on_behalf_of" ? "numeric" : undefined}
              dir="ltr"
              size="sm"
              value={getFilterValue(name)}
              onChange={({ target }) => setInputValues({ ...inputValues, [name]: target.value })}
            />
          </Field>
        ))}
        <div className="sm:col-span-3">
          <Button type="submit" size="sm">
            {t("apply")}
          </Button>
        </div>
      </form>
    </Disclosure>
  );
}
