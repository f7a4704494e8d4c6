import { Mail, MessageCircle, MessageSquareText, Phone } from "lucide-react";
import { siInstagram, siMessenger, siTelegram, siWhatsapp } from "simple-icons";
import type { ConnectableChannel } from "@/server/domains/sites/connections/policy";

const BRANDS = {
  whatsapp: siWhatsapp,
  whatsapp_qr: siWhatsapp,
  telegram: siTelegram,
  instagram: siInstagram,
  messenger: siMessenger,
} as const;

const ICONS = { email: Mail, web_chat: MessageCircle, sms: MessageSquareText, voice: Phone } as const;

/** Decorative: the page names the channel or connection next to it. */
export function ChannelLogo({ channel, large = false }: { channel: ConnectableChannel; large?: boolean }) {
  const sizeClass = large ? "size-6 shrink-0" : "size-4 shrink-0";
  if (!(channel in BRANDS)) {
    const Icon = ICONS[channel as keyof typeof ICONS];
    return <Icon aria-hidden className={`${sizeClass} text-fg-muted forced-colors:text-inherit`} />;
  }
  const { hex, path } = BRANDS[channel as keyof typeof BRANDS];
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      fill={`#${hex}`}
      className={`${sizeClass} forced-colors:fill-current`}
    >
      <path d={path} />
    </svg>
  );
}

/** Beside the title of a page; phones have no room for it. */
export function TitleLogo({ channel }: { channel: ConnectableChannel }) {
  return (
    <span className="max-sm:hidden">
      <ChannelLogo channel={channel} large />
    </span>
  );
}
