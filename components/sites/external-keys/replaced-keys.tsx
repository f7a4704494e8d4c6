"use client";

import { useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { Ltr } from "@/components/ui/bidi";
import { Countdown } from "@/components/ui/countdown";
import { FormAlert } from "@/components/ui/form-alert";
import { Time } from "@/components/ui/time";
import { useNow } from "@/components/ui/use-now";
import { EndReplacedKeys } from "./end-replaced-keys";

const DAY_MS = 86_400_000;
const SHOWN_OPERATIONS_MAX = 3;

/** Replaced keys that are still valid, each with the operations called since its replacement. */
export function ReplacedKeys({ siteId, siteName }: { siteId: number; siteName: string }) {
  const t = useTranslations("keyUse.overlap");
  const now = useNow(60_000);
  const utils = api.useUtils();
  const { data } = api.externalKeys.use.useQuery({ params: { id: String(siteId) } }, { staleTime: 0 });
  const currentKey = data?.keys.find(({ valid_until }) => valid_until === null);
  return data?.keys.map((key) => {
    if (!key.valid_until) return null;
    const replacedAt = currentKey?.created_at ?? key.created_at;
    const calledOperations = key.operations.filter(({ last_at }) => last_at > replacedAt);
    const isEndingSoon = now !== null && new Date(key.valid_until).getTime() - now < DAY_MS;
    return (
      <FormAlert
        key={`${key.last_four}${key.created_at}`}
        tone={calledOperations.length > 0 ? "warning" : "info"}
        title={t("title", { key: key.last_four })}
        action={<EndReplacedKeys siteId={siteId} siteName={siteName} recentUse={key} />}
      >
        <p>
          {t.rich("left", {
            left: () =>
              isEndingSoon ? (
                <Countdown until={key.valid_until!} onEnd={() => void utils.externalKeys.invalidate()} />
              ) : (
                <Time value={key.valid_until!} />
              ),
          })}
        </p>
        <p>{t(calledOperations.length > 0 ? "called" : "quiet")}</p>
        {calledOperations.length > 0 ? (
          <ul className="mt-1">
            {calledOperations.slice(0, SHOWN_OPERATIONS_MAX).map(({ operation, method, path, last_at }) => (
              <li key={operation} className="flex flex-wrap gap-x-3">
                <Ltr mono>{path ? `${method} ${path}` : (operation ?? "…")}</Ltr>
                <Time value={last_at} />
              </li>
            ))}
          </ul>
        ) : null}
      </FormAlert>
    );
  });
}
