import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { HelpCard } from "@/components/ui/help-card";
import type { ConnectableChannel } from "@/server/domains/sites/connections/policy";
import { ExternalTextLink } from "./external-link";

const META_APPS = "https://developers.facebook.com/apps/";
const TWILIO_CONSOLE = "https://console.twilio.com/";

const LINKS = {
  telegram: "https://t.me/BotFather",
  whatsapp: META_APPS,
  instagram: META_APPS,
  messenger: META_APPS,
  whatsapp_qr: "https://doc.evolution-api.com/",
  sms: TWILIO_CONSOLE,
  voice: TWILIO_CONSOLE,
  email: "",
  web_chat: "",
} as const satisfies Record<ConnectableChannel, string>;

const GUIDE_BY_CHANNEL = {
  telegram: "telegram",
  whatsapp: "whatsapp",
  instagram: "instagram",
  messenger: "messenger",
  whatsapp_qr: "evolution",
  sms: "twilio",
  voice: "twilio",
  email: "email",
  web_chat: "webChat",
} as const satisfies Record<ConnectableChannel, string>;

const RENEWAL_BY_CHANNEL = {
  telegram: "telegram",
  whatsapp: "meta",
  instagram: "meta",
  messenger: "meta",
  whatsapp_qr: "evolution",
  sms: "twilio",
  voice: "twilio",
  email: "email",
} as const satisfies Partial<Record<ConnectableChannel, string>>;

export interface ChannelGuideProps {
  channel: ConnectableChannel;
  /** ID of the platform's app at Meta, which tokens must be created for. */
  metaAppId: string | undefined;
}

/** Steps at the provider that lead to the values of the form. */
export function ChannelGuide({ channel, metaAppId }: ChannelGuideProps) {
  const t = useTranslations("channels.guide");
  const values = useStepValues(channel, metaAppId);
  const guide = GUIDE_BY_CHANNEL[channel];
  return (
    <HelpCard title={t(channel === "web_chat" ? "webChat.title" : "title")}>
      <Steps>
        {(["one", "two", "three"] as const).map((step) => (
          <span key={step}>{t.rich(`${guide}.${step}`, values)}</span>
        ))}
      </Steps>
      {channel === "email" ? <p>{t("email.outlook")}</p> : null}
    </HelpCard>
  );
}

/** Steps to a new token or password of a connected account. */
export function RenewalGuide({
  channel,
  metaAppId,
}: Omit<ChannelGuideProps, "channel"> & { channel: keyof typeof RENEWAL_BY_CHANNEL }) {
  const t = useTranslations("channels.renewal");
  const values = useStepValues(channel, metaAppId);
  const guide = RENEWAL_BY_CHANNEL[channel];
  return (
    <HelpCard title={t("title")}>
      <Steps>
        {(["one", "two"] as const).map((step) => (
          <span key={step}>{t.rich(`${guide}.${step}`, values)}</span>
        ))}
      </Steps>
    </HelpCard>
  );
}

function Steps({ children }: { children: ReactNode[] }) {
  return (
    <ol className="flex list-decimal flex-col gap-3 ps-5 marker:font-medium marker:text-fg">
      {children.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps never move
        <li key={index} className="wrap-anywhere ps-1">
          {step}
        </li>
      ))}
    </ol>
  );
}

function useStepValues(channel: ConnectableChannel, metaAppId: string | undefined) {
  const createLink = (href: string) => (children: ReactNode) => (
    <ExternalTextLink href={href}>{children}</ExternalTextLink>
  );
  return {
    channel,
    app: () => <bdi className="font-medium text-fg">{metaAppId ?? ""}</bdi>,
    link: createLink(LINKS[channel]),
    business: createLink("https://business.facebook.com/settings/system-users"),
    numbers: createLink("https://console.twilio.com/us1/develop/phone-numbers/manage/incoming"),
    google: createLink("https://myaccount.google.com/apppasswords"),
    yandex: createLink("https://id.yandex.com/security/app-passwords"),
  };
}
