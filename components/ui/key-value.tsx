import type { ReactNode } from "react";

export interface KeyValueProps {
  items: readonly { key: string; label: ReactNode; value: ReactNode; action?: ReactNode }[];
}

export function KeyValue({ items }: KeyValueProps) {
  return (
    <dl className="divide-y divide-border">
      {items.map(({ key, label, value, action }) => (
        <div
          key={key}
          className="flex flex-wrap items-center gap-x-6 gap-y-0.5 py-2.5 first:pt-0 last:pb-0 sm:flex-nowrap"
        >
          <dt className="w-full shrink-0 text-fg-muted text-sm sm:w-44 sm:max-w-[35%]">{label}</dt>
          <dd className="wrap-anywhere flex min-w-0 flex-1 items-center justify-between gap-3 text-fg text-sm">
            <span className="min-w-0">{value}</span>
            {action ? <span className="-my-1.5 shrink-0">{action}</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}
