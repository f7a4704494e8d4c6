"use client";

import { useRouter } from "next/navigation";
import { Button } from "@/components/ui/button";
import { storePreference } from "@/components/ui/preference";

interface HideButtonProps {
  cookie: "checklist" | "passkey-offer";
  label: string;
}

export function HideButton({ cookie, label }: HideButtonProps) {
  const router = useRouter();
  const hide = () => {
    storePreference(cookie, "hidden");
    router.refresh();
  };
  return (
    <Button size="sm" variant="ghost" onClick={hide}>
      {label}
    </Button>
  );
}
