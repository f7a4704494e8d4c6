"use client";

import { Trash2 } from "lucide-react";
import { Button } from "@/components/ui/button";

export function BulkBar({
  count,
  labels,
  working,
  onRemove,
  onClear,
}: {
  count: number;
  labels: { selected: string; remove: string; clear: string };
  working?: boolean;
  onRemove: () => void;
  onClear: () => void;
}) {
  if (count === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-control bg-primary-soft px-3 py-2">
      <p role="status" className="flex-1 text-sm">
        {labels.selected}
      </p>
      <Button data-remove size="sm" variant="danger" icon={<Trash2 />} working={working} onClick={onRemove}>
        {labels.remove}
      </Button>
      <Button size="sm" onClick={onClear}>
        {labels.clear}
      </Button>
    </div>
  );
}
