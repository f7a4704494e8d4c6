"use client";

import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { listTrustedDevices } from "@/server/domains/access/tokens/contract";
import { useDevice } from "./use-device";

type Devices = Output<typeof listTrustedDevices>;

export function DevicesCard({ initial }: { initial: Devices }) {
  const t = useTranslations("security.devices");
  const { data } = api.tokens.listDevices.useQuery(undefined, { initialData: initial });
  if (data.devices.length === 0) return null;
  return (
    <Card title={t("title")} description={t("text")}>
      <ul className="divide-y divide-border">
        {data.devices.map((device) => (
          <DeviceRow key={device.id} device={device} />
        ))}
      </ul>
    </Card>
  );
}

function DeviceRow({ device }: { device: Devices["devices"][number] }) {
  const t = useTranslations();
  const utils = api.useUtils();
  const { name, Icon } = useDevice(device.user_agent);
  const forget = useAction(() => call.tokens.forgetDevice.mutate({ params: { id: String(device.id) } }), {
    onSuccess: () => utils.tokens.listDevices.invalidate(),
  });
  return (
    <li className="flex items-center gap-4 py-3.5 first:pt-0 last:pb-0">
      <Icon className="size-5 shrink-0 text-fg-muted max-sm:hidden" />
      <div className="min-w-0 flex-1">
        <p className="font-medium text-sm">{name}</p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-fg-muted text-sm">
          {device.ip ? <Ltr>{device.ip}</Ltr> : null}
          <span>
            {t.rich("security.devices.until", {
              time: () => <Time value={device.expires_at} show="date" />,
            })}
          </span>
        </p>
      </div>
      <Button size="sm" working={forget.isPending} labelSuffix={name} onClick={forget.run}>
        {t("security.devices.forget")}
      </Button>
    </li>
  );
}
