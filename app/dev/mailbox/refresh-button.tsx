"use client";

import { RotateCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { Button } from "@/components/ui/button";

export function RefreshButton({ label }: { label: string }) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  return (
    <Button icon={<RotateCw />} working={isPending} onClick={() => startTransition(() => router.refresh())}>
      {label}
    </Button>
  );
}
