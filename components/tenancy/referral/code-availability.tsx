"use client";

import { useTranslations } from "next-intl";
import { useWatch } from "react-hook-form";
import { api } from "@/components/api/client";
import { useDebounced } from "@/components/ui/use-debounced";

const DEBOUNCE_MS = 400;

export function CodeAvailability({ ownCode }: { ownCode: string | null }) {
  const t = useTranslations("referral");
  const typedCode = String(useWatch({ name: "code" }) ?? "").trim();
  const debouncedCode = useDebounced(typedCode, DEBOUNCE_MS);
  // The same as `REFERRAL_CODE_PATTERN` in the contract, which contains server code.
  const shouldCheck =
    debouncedCode === typedCode &&
    /^[A-Za-z0-9]{4,16}$/.test(debouncedCode) &&
    debouncedCode.toUpperCase() !== ownCode;
  const { data } = api.referral.checkCode.useQuery(
    { query: { code: debouncedCode } },
    { enabled: shouldCheck },
  );
  return (
    <p role="status" className="-mt-3 min-h-5 text-compact text-fg-muted">
      {shouldCheck && data ? t(data.free ? "free" : "taken") : null}
    </p>
  );
}
