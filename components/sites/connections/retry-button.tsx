"use client";

import { RotateCcw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";

export function RetryCleanupButton({ id }: { id: string }) {
  const t = useTranslations("connections.receipt");
  const router = useRouter();
  const retryAction = useAction(() => call.connections.retry.mutate({ params: { id } }), {
    successText: () => t("retried"),
    onSuccess: () => router.refresh(),
  });
  return (
    <Button icon={<RotateCcw />} working={retryAction.isPending} onClick={() => retryAction.run()}>
      {t("retry")}
    </Button>
  );
}
