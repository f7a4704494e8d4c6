"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import type { SiteDetail } from "./types";

export interface SuspensionCardProps {
  site: Pick<SiteDetail, "id" | "name" | "is_active" | "suspended_reason">;
  isOwner: boolean;
  isAdmin: boolean;
}

/**
 * Suspends a site. Administrators can also take over a suspension, so that only administrators can end it. The
 * notice above the tabs activates a suspended site.
 */
export function SuspensionCard({ site, isOwner, isAdmin }: SuspensionCardProps) {
  const t = useTranslations("sites.suspension");
  const router = useRouter();
  const utils = api.useUtils();
  const { prove, proofDialog } = useProofPrompt();
  const canTakeOver = isAdmin && !isOwner && site.suspended_reason !== "administrator";
  const label = t(site.is_active ? "suspend" : "hold");
  const text = t(site.is_active ? "suspendText" : "holdText");

  const suspension = useAction(
    () => prove(label, () => call.sites.suspend.mutate({ params: { id: String(site.id) } })),
    {
      onSuccess: async () => {
        router.refresh();
        await utils.sites.invalidate();
      },
    },
  );

  if (!site.is_active && !canTakeOver) return null;
  return (
    <Card
      title={label}
      description={text}
      footer={
        <>
          <AlertDialog
            trigger={<Button>{label}</Button>}
            title={t.rich("suspendTitle", { name: () => <bdi>{site.name}</bdi> })}
            description={text}
            confirmLabel={label}
            tone="primary"
            onConfirm={suspension.attempt}
          />
          {proofDialog}
        </>
      }
    />
  );
}
