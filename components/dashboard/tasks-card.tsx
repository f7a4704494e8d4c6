import { CircleAlert, KeyRound } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { HideButton } from "./hide-button";

const TASK_PATHS = {
  /** Few recovery codes are left. */
  codes: "/settings/security#second-factor",
  /** Privileged account without a second factor and passkey. */
  factor: "/settings/security#second-factor",
  /** Offer after a password sign-in; can be hidden. */
  passkey: "/settings/security#passkeys",
} as const satisfies Record<string, Route>;

export type Task = keyof typeof TASK_PATHS;

export interface TasksCardProps {
  tasks: readonly Task[];
}

export function TasksCard({ tasks }: TasksCardProps) {
  const t = useTranslations("dashboard.tasks");
  return (
    <Card title={t("title")} flush>
      <ul className="divide-y divide-border border-border border-t">
        {tasks.map((task) => (
          <li key={task} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3.5">
            <span
              className={`grid size-7 shrink-0 place-items-center rounded-full ${task === "passkey" ? "bg-sunken text-fg-muted" : "bg-warning-soft text-warning-text"}`}
            >
              {task === "passkey" ? <KeyRound /> : <CircleAlert />}
            </span>
            <span className="min-w-48 flex-1">
              <span className="block font-medium text-sm">{t(task)}</span>
              <span className="block text-compact text-fg-muted">{t(`${task}Text`)}</span>
            </span>
            <LinkButton size="sm" href={TASK_PATHS[task]}>
              {t(`${task}Action`)}
            </LinkButton>
            {task === "passkey" ? <HideButton preferenceName="passkey-offer" label={t("hide")} /> : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}
