"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { useWatch } from "react-hook-form";
import { api } from "@/components/api/client";

/** Debounce in milliseconds. */
const PAUSE = 400;

/** Shows whether the typed code is available. */
export function CodeState({ own }: { own: string | null }) {
  const t = useTranslations("referral");
  const typed = String(useWatch({ name: "code" }) ?? "").trim();
  const [code, setCode] = useState(typed);
  useEffect(() => {
    const timer = window.setTimeout(() => setCode(typed), PAUSE);
    return () => window.clearTimeout(timer);
  }, [typed]);
  const asked = code === typed && /^[A-Za-z0-9]{4,16}$/.test(code) && code.toUpperCase() !== own;
  const { data } = api.referral.checkCode.useQuery({ query: { code } }, { enabled: asked });
  return (
    <p role="status" className="-mt-3 min-h-5 text-compact text-fg-muted">
      {asked && data ? t(data.free ? "free" : "taken") : null}
    </p>
  );
}
