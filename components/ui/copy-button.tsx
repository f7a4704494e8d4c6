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
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = window.setTimeout(() => setCopied(false), 2000);
    return () => window.clearTimeout(timer);
  }, [copied]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      announce(t("failed"));
      return;
    }
    setCopied(true);
    announce(t("done"));
    onCopied?.();
  }

  const icon = copied ? <Check className="text-success-text" /> : <Copy />;
  if (compact) return <IconButton label={label ?? t("copy")} icon={icon} size="sm" onClick={copy} />;
  return (
    <Button {...style} icon={icon} onClick={copy}>
      {copied ? t("done") : (label ?? t("copy"))}
    </Button>
  );
}
