"use client";

import { Check, Copy } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Button, type ButtonProps } from "./button";
import { IconButton } from "./icon-button";
import { announce } from "./live-regions";

export interface CopyButtonProps extends Pick<ButtonProps, "variant" | "size" | "block"> {
  text: string;
  label?: string;
  compact?: boolean;
  onCopied?: () => void;
}

export function CopyButton({ text, label, compact, onCopied, ...style }: CopyButtonProps) {
  const t = useTranslations("ui.copy");
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = window.setTimeout(() => setIsCopied(false), 2000);
    return () => window.clearTimeout(timer);
  }, [isCopied]);

  async function copyText() {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      announce(t("failed"));
      return;
    }
    setIsCopied(true);
    announce(t("done"));
    onCopied?.();
  }

  const icon = isCopied ? <Check className="text-success-text" /> : <Copy />;
  if (compact) return <IconButton label={label ?? t("copy")} icon={icon} size="sm" onClick={copyText} />;
  return (
    <Button {...style} icon={icon} onClick={copyText}>
      {isCopied ? t("done") : (label ?? t("copy"))}
    </Button>
  );
}
