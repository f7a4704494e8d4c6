"use client";

import { Eye, EyeOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Input, type InputProps } from "./input";

export function PasswordInput(props: Omit<InputProps, "type" | "after">) {
  const t = useTranslations("ui.password");
  const [isShown, setIsShown] = useState(false);
  return (
    <Input
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      dir="ltr"
      {...props}
      type={isShown ? "text" : "password"}
      after={
        <button
          type="button"
          aria-label={t("show")}
          aria-pressed={isShown}
          className="grid size-9 place-items-center rounded-control text-fg-muted hover:text-fg pointer-coarse:size-11"
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? <EyeOff /> : <Eye />}
        </button>
      }
    />
  );
}
