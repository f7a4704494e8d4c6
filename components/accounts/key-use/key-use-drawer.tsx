"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useErrorText } from "@/components/api/form-error";
import { Button } from "@/components/ui/button";
import { Drawer } from "@/components/ui/drawer";
import { ErrorState } from "@/components/ui/error-state";
import { SkeletonLines } from "@/components/ui/skeleton";
import { KeyUseLists } from "./key-use-lists";
import type { KeyUse } from "./types";

/** Opens the use of a key; `children` load it when the drawer is open. */
export function KeyUseDrawer({ keyName, children }: { keyName: string; children: ReactNode }) {
  const t = useTranslations("keyUse");
  return (
    <Drawer
      trigger={
        <Button size="sm" labelSuffix={keyName}>
          {t("open")}
        </Button>
      }
      title={t.rich("title", { name: () => <bdi>{keyName}</bdi> })}
    >
      {children}
    </Drawer>
  );
}

export function KeyUseContent({
  use,
  error,
  refetch,
}: {
  use: KeyUse | undefined;
  error: unknown;
  refetch: () => unknown;
}) {
  const errorText = useErrorText();
  if (use) return <KeyUseLists use={use} />;
  if (error) return <ErrorState onRetry={() => void refetch()}>{errorText(error)}</ErrorState>;
  return <SkeletonLines rowCount={5} />;
}
