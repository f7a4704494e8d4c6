"use client";

import { Search } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { publicCall } from "@/components/api/public-call";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { Output } from "@/server/core/contract";
import type { listReferralResellers } from "@/server/domains/access/registration/contract";
import { REFERRAL_SEARCH_MIN_LENGTH } from "@/server/domains/access/registration/policy";

type Reseller = Output<typeof listReferralResellers>["data"][number];

const DEBOUNCE_MS = 300;

export function ResellerPicker({ onChoose }: { onChoose: (code: string) => void }) {
  const t = useTranslations("auth.signUp");
  const [query, setQuery] = useState("");
  const [resellers, setResellers] = useState<readonly Reseller[]>();
  useEffect(() => {
    const searchText = query.trim();
    let isCurrent = true;
    const timer = window.setTimeout(async () => {
      // On failure the code can still be typed.
      const page =
        searchText.length < REFERRAL_SEARCH_MIN_LENGTH
          ? undefined
          : await publicCall.registration.listResellers
              .query({ query: { q: searchText } })
              .catch(() => undefined);
      if (isCurrent) setResellers(page?.data);
    }, DEBOUNCE_MS);
    return () => {
      isCurrent = false;
      window.clearTimeout(timer);
    };
  }, [query]);

  return (
    <div className="flex flex-col gap-2">
      <Field label={t("findReseller")} hint={t("findResellerHint")} optional>
        <Input
          type="search"
          autoComplete="off"
          before={<Search />}
          maxLength={100}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </Field>
      <p role="status" className="text-compact text-fg-muted empty:hidden">
        {resellers ? t("resellersFound", { count: resellers.length }) : null}
      </p>
      {resellers && resellers.length > 0 ? (
        <ul className="max-h-56 divide-y divide-border overflow-y-auto rounded-control border border-border">
          {resellers.map(({ code, display_name, city }) => (
            <li key={code}>
              <button
                type="button"
                onClick={() => {
                  onChoose(code);
                  setQuery("");
                }}
                className="wrap-anywhere min-h-11 w-full px-3 py-2 text-start text-sm hover:bg-sunken"
              >
                <bdi className="font-medium">{display_name}</bdi>{" "}
                <span className="text-fg-muted">
                  <bdi>{city}</bdi>
                </span>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
