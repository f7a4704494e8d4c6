"use client";

import { useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { Card } from "@/components/ui/card";
import { AddPasskey } from "./add-passkey";
import { PasskeyRow } from "./passkey-row";
import type { Passkeys } from "./types";
import { usePasskeysSupported } from "./use-passkeys-supported";

export function PasskeysCard({ initial }: { initial: Passkeys }) {
  const t = useTranslations("passkeys");
  const isSupported = usePasskeysSupported();
  const { data } = api.passkeys.list.useQuery(undefined, { initialData: initial });
  return (
    <Card title={t("title")} description={t("text")} actions={isSupported ? <AddPasskey /> : undefined}>
      {data.passkeys.length > 0 ? (
        <ul className="divide-y divide-border">
          {data.passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      ) : (
        <p className="text-fg-muted text-sm">{t(isSupported ? "empty" : "unsupported")}</p>
      )}
    </Card>
  );
}
