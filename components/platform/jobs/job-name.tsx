import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";

type TaskKey = Parameters<ReturnType<typeof useTranslations<"jobs.tasks">>>[0];

/** Name of a job with its task, which the search and the log use. */
export function JobName({ task }: { task: string }) {
  const getName = useJobName();
  const name = getName(task);
  return (
    <span className="wrap-anywhere flex flex-col items-start gap-0.5">
      <span>{name}</span>
      {name === task ? null : (
        <span className="font-normal text-compact text-fg-muted">
          <Ltr mono>{task}</Ltr>
        </span>
      )}
    </span>
  );
}

/** Returns the name of a task; tasks of an older release have none. */
function useJobName(): (task: string) => string {
  const t = useTranslations("jobs.tasks");
  return (task) => (t.has(task as TaskKey) ? t(task as TaskKey) : task);
}
