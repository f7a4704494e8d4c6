"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { useWatch } from "react-hook-form";
import { api } from "@/components/api/client";

const DEBOUNCE_MS = 400;

export function CodeState({ own }: { own: string | null }) {
  const t = useTranslations("referral");
  const typed = String(useWatch({ name: "code" }) ?? "").trim();
  const [code, setCode] = useState(typed);
  useEffect(() => {
    const timer = window.setTimeout(() => setCode(typed), DEBOUNCE_MS);
    return () => window.clearTimeout(timer);
  }, [typed]);
  const shouldCheck = code === typed && /^[A-Za-z0-9]{4,16}$/.test(code) && code.toUpperCase() !== own;
  const { data } = api.referral.checkCode.useQuery({ query: { code } }, { enabled: shouldCheck });
  return (
    <p role="status" className="-mt-3 min-h-5 text-compact text-fg-muted">
      {shouldCheck && data ? t(data.free ? "free" : "taken") : null}
    </p>
  );
}
