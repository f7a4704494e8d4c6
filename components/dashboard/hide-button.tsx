"use client";

import { useRouter } from "next/navigation";
import { Button } from "@/components/ui/button";
import { storePreference } from "@/components/ui/preference";

interface HideButtonProps {
  preferenceName: "checklist" | "setup" | "passkey-offer";
  label: string;
}

export function HideButton({ preferenceName, label }: HideButtonProps) {
  const router = useRouter();
  const hide = () => {
    storePreference(preferenceName, "hidden");
    router.refresh();
  };
  return (
    <Button size="sm" variant="ghost" onClick={hide}>
      {label}
    </Button>
  );
}
