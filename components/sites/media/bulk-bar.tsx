"use client";

import { Trash2 } from "lucide-react";
import { Button } from "@/components/ui/button";

export function BulkBar({
  count,
  words,
  working,
  onRemove,
  onClear,
}: {
  count: number;
  words: { chosen: string; remove: string; clear: string };
  working?: boolean;
  onRemove: () => void;
  onClear: () => void;
}) {
  if (count === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-control bg-primary-soft px-3 py-2">
      <p role="status" className="flex-1 text-sm">
        {words.chosen}
      </p>
      <Button data-remove size="sm" variant="danger" icon={<Trash2 />} working={working} onClick={onRemove}>
        {words.remove}
      </Button>
      <Button size="sm" onClick={onClear}>
        {words.clear}
      </Button>
    </div>
  );
}
