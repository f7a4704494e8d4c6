"use client";

import { useRouter } from "next/navigation";
import { Button } from "@/components/ui/button";
import { remember } from "@/components/ui/preference";

interface HideButtonProps {
  /** Name of the cookie that the dashboard reads. */
  what: "checklist" | "passkey-offer";
  label: string;
}

/** Hides a card of the dashboard in this browser. */
export function HideButton({ what, label }: HideButtonProps) {
  const router = useRouter();
  const hide = () => {
    remember(what, "hidden");
    router.refresh();
  };
  return (
    <Button size="sm" variant="ghost" onClick={hide}>
      {label}
    </Button>
  );
}
