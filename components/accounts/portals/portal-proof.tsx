"use client";

import { CircleAlert, CircleCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { FormAlert } from "@/components/ui/form-alert";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import type { Output } from "@/server/core/contract";
import type { getPortal } from "@/server/domains/accounts/portals/contract";

export type Portal = NonNullable<Output<typeof getPortal>["portal"]>;

export function PortalProof({ portal }: { portal: Portal }) {
  const t = useTranslations("portal");
  const utils = api.useUtils();
  const { isPending, problem, attempt } = useAction(() => call.portals.check.mutate(), {
    successText: false,
    onSuccess: async ({ portal: checkedPortal }) => {
      const hasPassed = checkedPortal.verified_at !== null && checkedPortal.failing_since === null;
      (hasPassed ? toast.success : toast.warning)(t(hasPassed ? "passed" : "notPassed"));
      await utils.portals.get.invalidate();
    },
  });
  return (
    <section aria-label={t("dns")} className="flex flex-col gap-4">
      <h3 className="font-medium text-sm">{t("dns")}</h3>
      <p className="text-fg-muted text-sm">{t.rich("dnsText", { address: () => <Ltr>{portal.url}</Ltr> })}</p>
      {portal.dns.map(({ type, name, value }) => (
        <CodeBlock
          key={type}
          title={<Ltr>{type}</Ltr>}
          code={`${name}.  ${type}  ${formatRecordValue(type, value)}`}
        />
      ))}
      <div className="flex flex-col gap-3 rounded-card border border-border p-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="font-medium text-sm">
            {t("checks")}{" "}
            {portal.checked_at ? (
              <span className="font-normal text-fg-muted">
                <Time value={portal.checked_at} />
              </span>
            ) : null}
          </p>
          <Button size="sm" working={isPending} onClick={() => void attempt()}>
            {t("check")}
          </Button>
        </div>
        {problem ? <FormAlert live>{problem}</FormAlert> : null}
        {portal.checks.length === 0 ? (
          <p className="text-fg-muted text-sm">{t("neverChecked")}</p>
        ) : (
          <ul className="flex flex-col gap-2 text-sm">
            {portal.checks.map(({ name, ok, detail }) => (
              <li key={name} className="flex min-w-0 items-start gap-2">
                {ok ? (
                  <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success-text" />
                ) : (
                  <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger-text" />
                )}
                <span className="wrap-anywhere min-w-0">
                  <span>{`${t(`checkName.${name}`)}: ${t(ok ? "checkOk" : "checkFailed")}`}</span>
                  {detail ? (
                    <span className="block text-fg-muted">
                      {t("found")} <Ltr>{detail}</Ltr>
                    </span>
                  ) : null}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

function formatRecordValue(type: string, value: string): string {
  return type === "TXT" ? `"${value}"` : `${value}.`;
}
