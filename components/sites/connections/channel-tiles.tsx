import { useTranslations } from "next-intl";
import { AppLink } from "@/components/ui/app-link";
import type { ConnectableChannel } from "@/server/domains/sites/connections/policy";
import { ChannelLogo } from "./channel-logo";
import { getWizardPath } from "./paths";

/** Most common first. */
const TILES: readonly ConnectableChannel[] = [
  "whatsapp",
  "telegram",
  "instagram",
  "messenger",
  "email",
  "web_chat",
  "sms",
  "voice",
  "whatsapp_qr",
];

export function ChannelTiles({ siteId }: { siteId: number | undefined }) {
  const t = useTranslations();
  return (
    <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
      {TILES.map((channel) => (
        <li key={channel} className="flex">
          <AppLink
            href={getWizardPath({ channel, siteId })}
            className="flex min-w-0 flex-1 items-start gap-4 rounded-card border border-border bg-surface p-5 transition-colors duration-120 hover:border-border-strong hover:bg-sunken has-data-pending:border-primary-mark"
          >
            <span className="grid size-11 shrink-0 place-items-center rounded-card border border-border bg-surface">
              <ChannelLogo channel={channel} large />
            </span>
            <span className="min-w-0">
              <span className="block font-semibold">{t(`connections.channel.${channel}`)}</span>
              <span className="mt-0.5 block text-pretty text-fg-muted text-sm">
                {t(`channels.purpose.${channel}`)}
              </span>
            </span>
          </AppLink>
        </li>
      ))}
    </ul>
  );
}
