import { Bot, MessagesSquare, Phone } from "lucide-react";
import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { useFormat } from "@/components/ui/use-format";

export interface UsageCardProps {
  usage: { messages_sent: number; ai_calls: number; voice_minutes: number };
}

export function UsageCard({ usage }: UsageCardProps) {
  const t = useTranslations("dashboard.usage");
  const { number: formatNumber } = useFormat();
  const figures = [
    { key: "messages", icon: <MessagesSquare />, value: usage.messages_sent },
    { key: "ai", icon: <Bot />, value: usage.ai_calls },
    { key: "voice", icon: <Phone />, value: usage.voice_minutes },
  ] as const;
  return (
    <Card title={t("title")} description={t("text")}>
      <dl className="grid gap-x-8 gap-y-5 sm:grid-cols-3 sm:divide-x sm:divide-border">
        {figures.map(({ key, icon, value }, index) => (
          <div key={key} className={index > 0 ? "sm:ps-8" : undefined}>
            <dt className="flex items-center gap-2 text-fg-muted text-sm">
              {icon}
              <span>{t(key)}</span>
            </dt>
            <dd className="mt-1 font-semibold text-h2 tabular-nums">{formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
