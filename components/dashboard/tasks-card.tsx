import { CircleAlert, KeyRound } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { HideButton } from "./hide-button";
import { TaskList, TaskRow } from "./task-row";

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
      <TaskList>
        {tasks.map((task) => (
          <TaskRow
            key={task}
            tone={task === "passkey" ? "neutral" : "warning"}
            icon={task === "passkey" ? <KeyRound /> : <CircleAlert />}
            title={t(task)}
            action={
              <>
                <LinkButton size="sm" href={TASK_PATHS[task]}>
                  {t(`${task}Action`)}
                </LinkButton>
                {task === "passkey" ? <HideButton preferenceName="passkey-offer" label={t("hide")} /> : null}
              </>
            }
          >
            {t(`${task}Text`)}
          </TaskRow>
        ))}
      </TaskList>
    </Card>
  );
}
