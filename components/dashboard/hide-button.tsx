"use client";

import { useRouter } from "next/navigation";
import { Button } from "@/components/ui/button";
import { remember } from "@/components/ui/preference";

interface HideButtonProps {
  /** Cookie name. */
  what: "checklist" | "passkey-offer";
  label: string;
}

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
